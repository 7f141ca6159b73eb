import type { KubeObject } from "../../shared/kube/object.ts";

/** The outcomes of simulated pods: ready (or succeeded), unable to start, never ready, started and crashing. */
const OUTCOMES = ["ready", "fail", "hang", "crash"] as const;
export type Outcome = (typeof OUTCOMES)[number];

const PREFIX = "simulator.reveille.dev/";
/** Annotations of a workload, its pod template or a pod. */
export const READY_AFTER = `${PREFIX}ready-after`;
export const OUTCOME = `${PREFIX}outcome`;
export const MESSAGE = `${PREFIX}message`;

export interface Behaviour {
  readonly outcome: Outcome;
  readonly delayMilliseconds: number;
  /** The message of the pod's status in place of the usual words. */
  readonly message: string | undefined;
  /** Annotations that could not be understood, as sentences. */
  readonly faults: readonly string[];
}

/** Decides from the nearest object on the way from the pod to its workload that says something; `set` goes before all. */
export function behaviourOf(
  chain: readonly KubeObject[],
  set: (object: KubeObject) => Outcome | undefined,
  delayMilliseconds: number,
): Behaviour {
  const said = (annotation: string): string | undefined =>
    chain.map(({ metadata }) => metadata.annotations?.[annotation]).find((value) => value !== undefined);
  const faults: string[] = [];
  const commanded = chain.map(set).find((outcome) => outcome !== undefined);
  const outcome = said(OUTCOME);
  const known = OUTCOMES.find((one) => one === outcome);
  if (outcome !== undefined && known === undefined)
    faults.push(`${OUTCOME}: "${outcome}" is none of ${OUTCOMES.join(", ")}`);
  const readyAfter = said(READY_AFTER);
  const delay = readyAfter === undefined ? undefined : parseDuration(readyAfter);
  if (readyAfter !== undefined && delay === undefined)
    faults.push(`${READY_AFTER}: "${readyAfter}" is no duration such as 500ms, 2s or 1m30s`);
  return {
    outcome: commanded ?? known ?? "ready",
    delayMilliseconds: delay ?? delayMilliseconds,
    message: said(MESSAGE),
    faults,
  };
}

/** True where the annotations that steer the simulator are the same. */
export const sameAnnotations = (a: KubeObject, b: KubeObject): boolean =>
  [READY_AFTER, OUTCOME, MESSAGE].every(
    (name) => a.metadata.annotations?.[name] === b.metadata.annotations?.[name],
  );

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `2s`, `1m30s`, `0` in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    sum += Number(amount) * (UNITS[unit] ?? 0);
  return sum;
}
