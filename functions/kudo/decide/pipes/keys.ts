import type { Plan, Task } from "../../kinds/index.ts";
import { type PipePlace, pipeArtifactName } from "../decorate/index.ts";

/** A key that a Pipe task of a plan makes. */
export interface PipeKey {
  readonly key: string;
  /** The name of what holds it. */
  readonly artifact: string;
}

/** The keys that a plan's Pipe tasks make, in their order. */
export function pipeKeys(
  tasks: readonly Task[] | undefined,
  plan: Plan | undefined,
  { instance, plan: planName }: Pick<PipePlace, "instance" | "plan">,
): readonly PipeKey[] {
  const byName = new Map((tasks ?? []).map((task) => [task.name ?? "", task]));
  return (plan?.phases ?? []).flatMap(({ name: phase = "", steps }) =>
    (steps ?? []).flatMap(({ name: step = "", tasks: names }) =>
      (names ?? []).flatMap((name) => {
        const task = byName.get(name);
        if (task?.kind !== "Pipe") return [];
        const place = { instance, plan: planName, phase, step, task: name };
        return (task.spec?.pipe ?? []).flatMap(({ key }) =>
          key === undefined ? [] : [{ key, artifact: pipeArtifactName(place, key) }],
        );
      }),
    ),
  );
}

/** The fault of keys that would hide each other, in words: the same twice, or two whose names are the same without their signs. */
export function pipeKeysFault(keys: readonly PipeKey[]): string | undefined {
  for (const [at, { key, artifact }] of keys.entries()) {
    const earlier = keys.slice(0, at).find((one) => one.key === key || one.artifact === artifact);
    if (earlier === undefined) continue;
    return earlier.key === key
      ? `duplicated pipe key ${key}`
      : `pipe keys ${earlier.key} and ${key} are both stored as ${artifact}`;
  }
  return undefined;
}
