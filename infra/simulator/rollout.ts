import type { DeploymentSpec } from "../../shared/kube/schema/workloads.ts";

/** The numbers of pods that a ReplicaSet wants and has available. */
export interface Scale {
  readonly wants: number;
  readonly available: number;
}

/** The numbers of pods that may be too many and too few during a rollout: percentages round in favour of going on. */
export function bounds({ replicas = 1, strategy }: DeploymentSpec): {
  readonly surge: number;
  readonly unavailable: number;
} {
  if (strategy?.type === "Recreate") return { surge: 0, unavailable: replicas };
  const surge = absolute(strategy?.rollingUpdate?.maxSurge ?? "25%", replicas, Math.ceil);
  const unavailable = absolute(strategy?.rollingUpdate?.maxUnavailable ?? "25%", replicas, Math.floor);
  return { surge, unavailable: Math.min(replicas, surge === 0 && unavailable === 0 ? 1 : unavailable) };
}

function absolute(value: number | string, replicas: number, round: (x: number) => number): number {
  if (typeof value === "number") return value;
  return value.endsWith("%") ? round((Number.parseFloat(value) / 100) * replicas) : Number(value);
}

/** The next sizes on the way to all pods being new: never more than the surge allows, never fewer available than wanted. */
export function rollOn(
  spec: DeploymentSpec,
  fresh: Scale,
  old: readonly Scale[],
): { readonly fresh: number; readonly old: readonly number[] } {
  const { replicas = 1 } = spec;
  const { surge, unavailable } = bounds(spec);
  if (spec.strategy?.type === "Recreate") {
    // The new ones come when the last old one is gone.
    const left = old.some(({ wants }) => wants > 0);
    return { fresh: left ? fresh.wants : replicas, old: old.map(() => 0) };
  }
  const total = fresh.wants + sum(old.map(({ wants }) => wants));
  const grown =
    fresh.wants > replicas
      ? replicas
      : fresh.wants + Math.max(0, Math.min(replicas + surge - total, replicas - fresh.wants));
  const least = replicas - unavailable;
  let mayGo = Math.max(
    0,
    fresh.wants + sum(old.map(({ wants }) => wants)) - least - (fresh.wants - fresh.available),
  );
  // What is not available serves nobody: it goes first.
  const healthy = old.map(({ wants, available }) => {
    const gone = Math.min(mayGo, Math.max(0, wants - available));
    mayGo -= gone;
    return wants - gone;
  });
  let spare = Math.min(
    mayGo,
    Math.max(0, fresh.available + sum(old.map(({ available }) => available)) - least),
  );
  const shrunk = healthy.map((wants) => {
    const gone = Math.min(spare, wants);
    spare -= gone;
    return wants - gone;
  });
  return { fresh: grown, old: shrunk };
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
