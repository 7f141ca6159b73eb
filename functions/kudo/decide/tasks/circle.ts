import type { Definition } from "../definition/index.ts";
import { childVersion } from "./child-version.ts";

/** Reads the OperatorVersion of that name. */
type VersionNamed = (name: string) => Promise<Definition | undefined>;

/** The names of the versions that the KudoOperator tasks of a version lead to. */
const below = ({ spec }: Definition): readonly string[] => [
  ...new Set(
    (spec?.tasks ?? []).flatMap(({ kind, spec: task }) =>
      kind === "KudoOperator" && task !== undefined ? [childVersion(task)] : [],
    ),
  ),
];

/**
 * The fault of what a version depends on, in words: a way that leads back to where it began, or to a version that is not there.
 * Each version is read once.
 */
export async function dependencyFault(version: Definition, read: VersionNamed): Promise<string | undefined> {
  const known = new Map<string, Definition | undefined>([[version.metadata.name, version]]);
  const done = new Set<string>();
  const visit = async (name: string, path: readonly string[]): Promise<string | undefined> => {
    if (path.includes(name))
      return `cyclic package dependency found: ${[...path.slice(path.indexOf(name)), name].join(" -> ")}`;
    if (done.has(name)) return undefined;
    const found = known.has(name) ? known.get(name) : await read(name);
    known.set(name, found);
    if (found === undefined)
      return `OperatorVersion ${name}, which ${path.at(-1) ?? name} depends on, does not exist`;
    for (const next of below(found)) {
      const fault = await visit(next, [...path, name]);
      if (fault !== undefined) return fault;
    }
    done.add(name);
    return undefined;
  };
  return visit(version.metadata.name, []);
}
