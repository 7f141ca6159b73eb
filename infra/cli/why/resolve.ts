import type { History } from "../../../shared/bus/contract.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { subjectParts } from "../../../shared/kube/subject.ts";
import type { KnownKind } from "../../systems/declared.ts";

/** `<group>/<kind>/<namespace>/<name>`. */
export type Subject = string;

/**
 * The object that somebody means by `KIND/NAME`: the kind by its name, plural, singular or short name, with or without its
 * group (`deployments.apps`). Without a namespace the one object of that name that the history knows is meant, first that in
 * `default`. Throws a `UsageError` that lists what there is.
 */
export async function resolveSubject(
  text: string,
  namespace: string | undefined,
  kinds: readonly KnownKind[],
  history: History,
): Promise<Subject> {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1)
    throw new UsageError(`"${text}" names no object: write KIND/NAME, for example Deployment/web.`);
  const spelled = text.slice(0, slash).toLowerCase();
  const name = text.slice(slash + 1);
  const subjects = await recentSubjects(history);
  const matches = matching(spelled, kinds, subjects);
  if (matches.length === 0) {
    const known = [
      ...new Set([...kinds.map(({ kind }) => kind), ...subjects.map((one) => subjectParts(one).kind)]),
    ];
    throw new UsageError(
      `No function knows the kind "${text.slice(0, slash)}"; they know ${known.sort().join(", ")}.`,
    );
  }
  const candidates = subjects.filter((subject) => {
    const { group, kind, namespace: where, ...one } = subjectParts(subject);
    return (
      matches.some((match) => match.group === group && match.kind === kind) &&
      one.name === name &&
      (namespace === undefined || where === namespace || where === "")
    );
  });
  const first = candidates.find((subject) => isNear(subject));
  if (first !== undefined) return first;
  if (candidates.length > 1)
    throw new UsageError(`There is a ${text} in ${candidates.map(placeIn).join(", ")}: name one with -n.`);
  const [only] = candidates;
  if (only !== undefined) return only;
  throw new CliError(
    "CLI_NO_HISTORY",
    `The history tells nothing of ${text}${namespace === undefined ? "" : ` in ${namespace}`}: no function was woken by it, read it or wrote it.`,
  );
}

/** At home, in the namespace that is meant where none is named. */
function isNear(subject: string): boolean {
  const { cluster, namespace } = subjectParts(subject);
  return cluster === undefined && ["", "default"].includes(namespace);
}

/** The namespace, and the cluster where it is another. */
function placeIn(subject: string): string {
  const { cluster, namespace } = subjectParts(subject);
  return cluster === undefined ? namespace : `${namespace} of ${cluster.slice(1)}`;
}

type KindName = Pick<KnownKind, "group" | "kind">;

/** The kinds that a word in lower case may mean. */
export const kindsNamed = (spelled: string, kinds: readonly KnownKind[]): readonly KnownKind[] =>
  kinds.filter(({ kind, plural, singular, shortNames, group }) =>
    [kind.toLowerCase(), plural, singular, ...shortNames].some(
      (one) => spelled === one || spelled === `${one}.${group}`,
    ),
  );

function matching(
  spelled: string,
  kinds: readonly KnownKind[],
  subjects: readonly Subject[],
): readonly KindName[] {
  const known = kindsNamed(spelled, kinds);
  if (known.length > 0) return known;
  // Kinds of functions that are gone by now: the history still tells of them.
  return subjects.flatMap((subject) => {
    const { group, kind } = subjectParts(subject);
    const one = kind.toLowerCase();
    return [one, `${one}s`, `${one}.${group}`].includes(spelled) ? [{ group, kind }] : [];
  });
}

/** The number of runs that are looked through at once. */
const PAGE = 500;

/** Every object that the history tells of, lists left out. */
async function recentSubjects(history: History): Promise<readonly Subject[]> {
  const subjects = new Set<Subject>();
  for (let position = 0; ; ) {
    const page = await history.after(position, { limit: PAGE });
    for (const run of page.runs)
      for (const subject of [...run.causes, ...run.reads, ...run.writes].map((one) => one.subject))
        if (subject !== undefined && !subject.endsWith("/*")) subjects.add(subject);
    if (page.runs.length < PAGE) return [...subjects];
    position = page.position;
  }
}
