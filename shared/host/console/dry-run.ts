import type { Finished } from "../../bus/contract.ts";
import type { NewItem, WorkItem } from "../../bus/item.ts";
import type { Clock } from "../../clock/clock.ts";
import type { FunctionDeclaration } from "../../function/declaration.ts";
import { describeKey } from "../../function/key.ts";
import type { KubeClient } from "../../kube/client.ts";
import type { ClusterReference } from "../../kube/cluster-names.ts";
import { subjectIn } from "../../kube/subject.ts";
import { type Log, silent } from "../../log/log.ts";
import { type Others, othersThrough } from "../../runner/clients.ts";
import { createRunner } from "../../runner/runner.ts";
import { type ConfiguredFunction, runsWith } from "../configuration.ts";
import { diffOf, type ObjectDiff } from "./diff.ts";
import { type DryRunClient, dryRunClient } from "./dry-run-client.ts";
import type { InvokedRun, Noted } from "./invocation.ts";
import type { Touched } from "./overlay.ts";
import { sealed, sealedDiff } from "./seal.ts";

export interface DryRunParts {
  /** Every function of the host with its parsed configuration. */
  readonly functions: ReadonlyMap<FunctionDeclaration, ConfiguredFunction>;
  /** All functions of the installation, where some are not known here. Default: `functions`. */
  readonly all?: readonly FunctionDeclaration[] | undefined;
  readonly client: KubeClient;
  /** Absent: functions reach no other clusters. */
  readonly others?: Others | undefined;
  readonly cluster: string;
  readonly clock: Clock;
  readonly log?: Log | undefined;
  readonly namespaces?: readonly string[] | undefined;
}

/** A run asks for more at the end of the queue so often at most before it counts as one that never ends. */
const AGAIN = 20;
/** The number of keys of a sweep that are run too; the others are named. */
const FOUND = 10;

/**
 * Runs an item by the very code of a real run, on a client whose writes stay in this process. Secrets are still in the result.
 */
export async function dryRun(
  item: NewItem,
  parts: DryRunParts,
  signal: AbortSignal,
): Promise<readonly InvokedRun[]> {
  const { client, touched } = dryRunClient(parts.client, parts.clock.now);
  const elsewhere = new Map<ClusterReference, DryRunClient>();
  const others =
    parts.others &&
    othersThrough(parts.others, (real, reference) => {
      const dry = dryRunClient(real, parts.clock.now);
      elsewhere.set(reference, dry);
      return dry.client;
    });
  const emitted: { readonly type: string; readonly id: string }[] = [];
  const work = createRunner({
    functions: [...parts.functions.keys()],
    all: parts.all,
    client,
    others,
    cluster: parts.cluster,
    clock: parts.clock,
    log: parts.log ?? silent,
    ...runsWith(parts.functions),
    calls: false,
    wroteThis: async () => false,
    emit: async (type, id) => void emitted.push({ type, id }),
    namespaces: parts.namespaces,
    nets: false,
  });
  const held: WorkItem = {
    ...item,
    causes: [item.cause],
    causesIncomplete: false,
    enqueuedAt: parts.clock.now(),
    attempt: 1,
  };
  let end = await work({ item: held, held: () => true, signal });
  const ends = [end];
  for (let more = 0; more < AGAIN && end.state === "finished" && end.again; more += 1) {
    end = await work({ item: held, held: () => true, signal });
    ends.push(end);
  }
  signal.throwIfAborted();
  if (end.state === "lost") return [];
  const runs = ends.flatMap((one) => (one.state === "lost" ? [] : [one.run]));
  const found = ends.flatMap((one) => (one.state === "finished" ? one.enqueue : []));
  const { diff, noted } = whatChanged([
    ...touched(),
    ...[...elsewhere].flatMap(([reference, dry]) => dry.touched().map((one) => ({ ...one, reference }))),
  ]);
  const last = end.run;
  const run: InvokedRun = {
    key: item.key,
    about: describeKey(item.key),
    state: "ended",
    saw: runs.flatMap(({ reads }) => reads),
    decided: {
      outcome: last.outcome,
      waitingFor: last.waitingFor,
      deadlines: last.deadlines,
      ...(last.error !== undefined && { error: last.error }),
    },
    wrote: runs.flatMap(({ writes }) => writes),
    diff,
    noted,
    emitted,
    ...(item.sweep !== undefined && { found: found.map(({ key }) => key) }),
  };
  const further: InvokedRun[] = [];
  for (const one of found.slice(0, FOUND)) further.push(...(await dryRun(one, parts, signal)));
  return [run, ...further];
}

/** An object that a run touched; `reference`: the one of other clusters that it lies in. */
type TouchedAt = Pick<Touched, "resource" | "place" | "base" | "now"> & {
  readonly reference?: ClusterReference;
};

/** Objects as they differ, and what people are told, each in a stable order. */
export function whatChanged(objects: readonly TouchedAt[]): {
  readonly diff: readonly ObjectDiff[];
  readonly noted: readonly Noted[];
} {
  const isEvent = ({ resource }: Pick<TouchedAt, "resource">): boolean =>
    resource.kind === "Event" && (resource.group === "" || resource.group === "events.k8s.io");
  const diff = objects
    .filter((one) => !isEvent(one))
    .flatMap(
      ({ reference, resource, place, base, now }) =>
        diffOf(subjectIn(reference, resource, place), base, now) ?? [],
    );
  const noted = objects.filter(isEvent).flatMap(({ base, now }): Noted[] => {
    if (base !== undefined || now === undefined) return [];
    const { involvedObject, type, reason, message } = now as unknown as NotedEvent;
    const { kind, namespace, name } = involvedObject;
    const about = `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
    return [{ about, type, reason, message }];
  });
  const textOf = ({ about, reason, message }: Noted): string => `${about} ${reason} ${message}`;
  return {
    diff: diff.sort((a, b) => a.subject.localeCompare(b.subject)),
    noted: noted.sort((a, b) => textOf(a).localeCompare(textOf(b))),
  };
}

interface NotedEvent extends Omit<Noted, "about"> {
  readonly involvedObject: { readonly kind: string; readonly namespace?: string; readonly name: string };
}

/** The same without secrets, for whoever asked. */
export const sealedRun = (run: InvokedRun): InvokedRun => ({
  ...run,
  ...(run.diff !== undefined && { diff: run.diff.map(sealedDiff) }),
  ...(run.decided !== undefined && { decided: sealed(run.decided) as NonNullable<InvokedRun["decided"]> }),
  ...(run.noted !== undefined && { noted: sealed(run.noted) as NonNullable<InvokedRun["noted"]> }),
  ...(run.wrote !== undefined && { wrote: sealed(run.wrote) as NonNullable<InvokedRun["wrote"]> }),
});

/** A run on a host, as far as the history keeps it. */
export const endedRun = (run: Finished["run"]): InvokedRun =>
  sealedRun({
    key: run.key,
    about: describeKey(run.key),
    state: "ended",
    id: run.id,
    saw: run.reads,
    decided: {
      outcome: run.outcome,
      waitingFor: run.waitingFor,
      deadlines: run.deadlines,
      ...(run.error !== undefined && { error: run.error }),
    },
    wrote: run.writes,
  });
