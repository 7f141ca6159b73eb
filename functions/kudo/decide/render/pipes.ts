import type { InstanceStatus } from "../../kinds/index.ts";
import { DEPLOY, type Definition, entryOf } from "../definition/index.ts";
import { pipeKeys } from "../pipes/index.ts";

/** The number of a plan's last run that came to a good end, as far as the status remembers; undefined: none did. */
function lastGoodRun(status: InstanceStatus | undefined, plan: string): number | undefined {
  const entry = entryOf(status, plan);
  if (entry?.status === "COMPLETE") return entry.execution ?? 0;
  return (status?.history ?? []).findLast((run) => run.planName === plan && run.status === "COMPLETE")
    ?.execution;
}

/**
 * The names of what Pipe tasks made, by key. A key of this plan is this run's; one of other plans was made by the last of them that
 * came to a good end, else by deploy. A key that nobody has made yet is none: a template that names it is at fault.
 */
export function pipesOf(
  version: Definition,
  instance: string,
  plan: string,
  status: InstanceStatus | undefined,
): Readonly<Record<string, string>> {
  const rank = (name: string): number | undefined => {
    if (name === plan) return Number.MAX_SAFE_INTEGER;
    const run = lastGoodRun(status, name);
    return run === undefined ? (name === DEPLOY ? 0 : undefined) : run + 1;
  };
  const plans = Object.entries(version.spec?.plans ?? {}).flatMap(([name, of]) => {
    const place = rank(name);
    return place === undefined ? [] : [{ name, of, place }];
  });
  return Object.fromEntries(
    plans
      .toSorted((one, other) => one.place - other.place)
      .flatMap(({ name, of }) =>
        pipeKeys(version.spec?.tasks, of, { instance, plan: name }).map(({ key, artifact }) => [
          key,
          artifact,
        ]),
      ),
  );
}
