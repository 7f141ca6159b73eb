import type { Clock } from "../../../shared/clock/clock.ts";
import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import { describeKey, keyOf } from "../../../shared/function/key.ts";
import type { System } from "../../../shared/function/system.ts";
import { configuredFunctions } from "../../../shared/host/configuration.ts";
import { dryRun, type InvokedRun, type ObjectDiff } from "../../../shared/host/console/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { factsOf } from "../../../shared/kube/facts.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { subjectParts } from "../../../shared/kube/subject.ts";
import { fieldManagerOf } from "../../../shared/runner/last-status.ts";

/** More keys than this are counted, not tried. */
const TRIED = 200;
const WORKLOADS = /^apps\/(Deployment|StatefulSet|DaemonSet)\//;

/** The effect of the first run of one key on the objects of the operator before. */
export interface TakenOver {
  /** `Widget team-a/one`. */
  readonly about: string;
  readonly says: string;
}

export interface TakeOverParts {
  readonly client: KubeClient;
  readonly systems: readonly System[];
  readonly configuration: Readonly<Record<string, unknown>> | undefined;
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Tells for each object that the operator before wrote, and no function of ours has, what taking over would do: by a dry run of the very
 * function. `left` counts those beyond two hundred.
 */
export async function takeOverPlan(
  parts: TakeOverParts,
): Promise<{ readonly plan: readonly TakenOver[]; readonly left: number }> {
  const succeeding = parts.systems.filter(({ predecessors }) => predecessors.length > 0);
  const functions = configuredFunctions(succeeding, parts.configuration);
  const plan: TakenOver[] = [];
  let left = 0;
  for (const declaration of functions.keys())
    for (const key of await keysOf(declaration, parts)) {
      if (plan.length >= TRIED) {
        left += 1;
        continue;
      }
      const cause = {
        sort: "command",
        eventId: "take-over",
        type: "command.reconcile",
        revives: false,
        at: new Date(parts.clock.now()).toISOString(),
      } as const;
      const { client, clock, namespace, signal } = parts;
      const namespaces = namespace === undefined ? undefined : [namespace];
      const [run] = await dryRun(
        { function: declaration.name, key, lane: "urgent", cause },
        { functions, client, cluster: CLUSTER, clock, namespaces },
        signal,
      );
      plan.push({ about: describeKey(key), says: run === undefined ? "would be tried again" : saysOf(run) });
    }
  return { plan, left };
}

/** Nothing is published, so what the cluster is called matters to nobody. */
const CLUSTER = "here";

/** The keys of objects that only the operator before wrote. */
async function keysOf(
  declaration: FunctionDeclaration,
  { client, namespace }: TakeOverParts,
): Promise<ReadonlySet<string>> {
  const { key, succeeds } = declaration;
  const found = new Set<string>();
  if (succeeds.length === 0) return found;
  const writes = (object: KubeObject, managers: readonly string[]): boolean =>
    object.metadata.managedFields?.some(({ manager }) => managers.includes(manager ?? "")) === true;
  try {
    for await (const { items } of client.pages(resourceOf(key.kind), { namespace }))
      for (const object of items) {
        if (!writes(object, succeeds) || writes(object, [fieldManagerOf(declaration)])) continue;
        const { name, namespace: place } = object.metadata;
        const one = keyOf(key, { cluster: CLUSTER, namespace: place, name }, factsOf(key.kind.facts, object));
        if (one !== undefined) found.add(one);
      }
  } catch (thrown) {
    // A kind that is not there has no objects; what may not be listed is told among the missing rights.
    if (!(thrown instanceof KubeError) || !["missing", "kindMissing", "forbidden"].includes(thrown.kind))
      throw thrown;
  }
  return found;
}

function saysOf({ diff = [], decided }: InvokedRun): string {
  const { error, waitingFor = [] } = decided ?? {};
  if (error !== undefined) return `fails: ${error.message}`;
  const others = diff.filter(({ changes }) => !changes.every(({ path }) => path.startsWith("status")));
  const parts = others.map(partOf).toSorted();
  if (waitingFor.length > 0) parts.push(`waits for ${waitingFor.join(", ")}`);
  return parts.length === 0 ? "stays as it is" : parts.join("; ");
}

function partOf({ subject, change, changes }: ObjectDiff): string {
  const { kind, name } = subjectParts(subject);
  if (change === "created") return `makes ${kind} ${name}`;
  if (change === "deleted") return `deletes ${kind} ${name}`;
  const rolls = WORKLOADS.test(subject) && changes.some(({ path }) => path.startsWith("spec.template"));
  return `${rolls ? "rolls out" : "changes"} ${kind} ${name}`;
}
