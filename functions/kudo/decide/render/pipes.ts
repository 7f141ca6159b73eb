import type { InstanceStatus } from "../../kinds/index.ts";
import { DEPLOY, type Definition, entryOf } from "../definition/index.ts";
import { pipeKeys } from "../pipes/index.ts";

/**
 * The names of what Pipe tasks made, by key. A key of this plan is this run's; one of other plans was made by the last of them that
 * came to a good end, else by deploy.
 */
export function pipesOf(
  version: Definition,
  instance: string,
  plan: string,
  status: InstanceStatus | undefined,
): Readonly<Record<string, string>> {
  const rank = (name: string): number => {
    if (name === plan) return Number.MAX_SAFE_INTEGER;
    const entry = entryOf(status, name);
    return entry?.status === "COMPLETE" ? (entry.execution ?? 0) + 1 : name === DEPLOY ? 0 : -1;
  };
  const plans = Object.entries(version.spec?.plans ?? {}).toSorted(
    ([one], [other]) => rank(one) - rank(other),
  );
  return Object.fromEntries(
    plans.flatMap(([name, of]) =>
      pipeKeys(version.spec?.tasks, of, { instance, plan: name }).map(({ key, artifact }) => [key, artifact]),
    ),
  );
}
