import { ClusterPlatform, Platform, Workflow } from "../../functions/sonataflow/index.ts";
import { seededRandom } from "../../infra/testing/random.ts";
import type { Granted, RightsStage } from "./rights-stage.ts";

/** Where it is told that a rule is missing: in the status of an object, or, where that cannot be read or written, in the history. */
export type Told = "the object's status" | "the history";

const KEYS = [ClusterPlatform, Platform, Workflow];
const isKey = ({ group, resource }: Granted): boolean =>
  KEYS.some((kind) => kind.group === group && resource.split("/")[0] === kind.plural);

/** Without its own object, or the right to its status, a function has nowhere to say it. */
const toldIn = (granted: Granted): Told | undefined => {
  const { resource, role } = granted;
  if (!/sonataflow/.test(role.metadata.name) || resource === "events" || resource === "leases")
    return undefined;
  if (/-take-over$/.test(role.metadata.name)) return undefined;
  if (resource.endsWith("/status")) return "the history";
  const own = granted.accounts.some((account) =>
    KEYS.some((kind) => isKey(granted) && resource === kind.plural && ownKey[account] === kind.plural),
  );
  return own ? "the history" : "the object's status";
};
const ownKey: Readonly<Record<string, string>> = {
  "reveille-sonataflow-cluster-platforms": ClusterPlatform.plural,
  "reveille-sonataflow-platforms": Platform.plural,
  "reveille-sonataflow-workflows": Workflow.plural,
};

const seed = Number(process.env.REVEILLE_SEED ?? Date.now() % 100_000);
/** How many rules are taken away one after another for each place; all of them with REVEILLE_RIGHTS=all. */
const SAMPLE = { "the object's status": 3, "the history": 1 } as const;

/** Which rules are taken away in this run, from a seed. */
export const pickRules = {
  seed,
  turns: ["the object's status", "the history"] as const,
  pick(told: Told, from: readonly Granted[]): readonly Granted[] {
    const random = seededRandom(seed);
    const shuffled = from
      .filter((granted) => toldIn(granted) === told)
      .map((granted) => ({ granted, order: random() }))
      .sort((one, other) => one.order - other.order)
      .map(({ granted }) => granted);
    return process.env.REVEILLE_RIGHTS === "all" ? shuffled : shuffled.slice(0, SAMPLE[told]);
  },
};

/** What the API server says to somebody who lacks the rule. */
function namesRule({ verb, resource, group }: Granted, text: string): boolean {
  const [, subresource] = resource.split("/");
  return subresource === "finalizers"
    ? text.includes("cannot set blockOwnerDeletion")
    : text.includes(`cannot ${verb} resource "${resource}" in API group "${group}"`);
}

/** Whether somebody who looks there reads which rule is missing. */
export async function isShown({ cluster }: RightsStage, told: Told, granted: Granted): Promise<boolean> {
  if (told === "the history")
    return cluster.stack.runs().some(({ error }) => error !== undefined && namesRule(granted, error.message));
  const objects = await Promise.all([
    cluster.list(ClusterPlatform),
    cluster.list(Platform),
    cluster.list(Workflow),
  ]);
  return objects
    .flat()
    .some(({ status }) =>
      (status?.conditions ?? []).some(({ message }) => message !== undefined && namesRule(granted, message)),
    );
}
