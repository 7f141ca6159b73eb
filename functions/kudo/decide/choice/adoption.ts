import { fieldsOf, isRecord, textOf } from "../../../../shared/json/fields.ts";
import { jsonOf } from "../../../../shared/json/parse.ts";
import type { Consumed, InstanceSpec, InstanceStatus, PlanStatus } from "../../kinds/index.ts";
import { type InstanceView, isRunning, isTerminal, lockOf } from "../definition/index.ts";

/** The annotation in which upstream kept, up to version 0.14, the spec that it last acted on. */
const SNAPSHOT = "kudo.dev/last-applied-instance-state";

/** The memory of an Instance that upstream has handled so far. */
export type Adopted = Pick<InstanceStatus, "executions" | "lastStarted" | "lastSucceeded">;

/** The spec that upstream last acted on; undefined where the annotation does not tell. */
function snapshotIn(annotations: Readonly<Record<string, string>> | undefined): InstanceSpec | undefined {
  const text = annotations?.[SNAPSHOT];
  if (text === undefined) return undefined;
  const read = jsonOf(text);
  if (!isRecord(read) || !isRecord(read.operatorVersion)) return undefined;
  const { name, namespace } = read.operatorVersion;
  const parameters = Object.entries(fieldsOf(read.parameters)).flatMap(([key, value]) =>
    typeof value === "string" ? [[key, value] as const] : [],
  );
  return {
    operatorVersion: {
      name: textOf(name),
      ...(textOf(namespace) !== "" && { namespace: textOf(namespace) }),
    },
    parameters: Object.fromEntries(parameters),
  };
}

/** The run that upstream was at, or came to last. What we closed ourselves has a time at which it was finished. */
function upstreamsRun({ spec, status }: InstanceView): PlanStatus | undefined {
  const lock = lockOf(spec);
  const entries = Object.entries(status?.planStatus ?? {}).map(([name, entry]) => ({ ...entry, name }));
  const held = entries.find(
    (entry) =>
      isRunning(entry.status) && entry.name === lock?.plan && entry.uid === lock?.uid && lock?.uid !== "",
  );
  const ended = entries
    .filter((entry) => isTerminal(entry.status) && entry.finishedTimestamp === undefined)
    .toSorted((one, other) => order(one) - order(other));
  return held ?? ended.at(-1);
}
const order = ({ lastUpdatedTimestamp }: PlanStatus): number => Date.parse(lastUpdatedTimestamp ?? "") || 0;

/** The memory to begin with, of an Instance whose plans ran before this system saw it; undefined: none did, or it has one. */
export function adopted(instance: InstanceView): Adopted | undefined {
  const { metadata, spec, status } = instance;
  if (status?.lastStarted !== undefined || (status?.executions ?? 0) > 0) return undefined;
  const run = upstreamsRun(instance);
  if (run === undefined) return undefined;
  const { operatorVersion = {}, parameters = {} } = snapshotIn(metadata.annotations) ?? spec ?? {};
  const consumed: Consumed = {
    execution: 0,
    planName: run.name ?? "",
    planUID: run.uid ?? "",
    operatorVersion,
    parameters,
  };
  return {
    executions: 0,
    lastStarted: consumed,
    ...(run.status === "COMPLETE" && { lastSucceeded: consumed }),
  };
}
