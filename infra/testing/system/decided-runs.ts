import type { AnyOutcome, FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { AnyPort } from "../../../shared/function/port.ts";
import type { Where } from "../../../shared/function/reader.ts";
import { systemConfiguration } from "../../../shared/host/configuration.ts";
import type { AnyObject, Kind } from "../../../shared/kube/kind.ts";
import { valueAt } from "../../../shared/kube/paths.ts";
import { type Ports, portsOf, usedPort } from "../../../shared/runner/ports.ts";
import type { MemoryCluster } from "./memory-cluster.ts";
import type { SystemInTests } from "./proof.ts";

const MOST_PASSES = 10;

type Subject =
  | { readonly self: AnyObject }
  | { readonly members: readonly AnyObject[]; readonly group: string };
/** Asked anew for each pass; undefined where the object is gone. */
type Look = () => Subject | undefined;

/** The time, configuration and ports of all runs of a system. */
interface Surroundings {
  readonly now: string;
  readonly config: unknown;
  readonly ports: Ports;
}

/** A run of every key of every function, as the objects are now. */
export function runsOf(
  { system, configuration, ports = [] }: SystemInTests,
  memory: MemoryCluster,
  now: string,
): readonly (() => Promise<void>)[] {
  const config = systemConfiguration(system, { [system.name]: configuration });
  const surroundings = { now, config, ports: portsOf(ports) };
  return system.functions.flatMap((declaration) =>
    looksOf(declaration, memory).map((look) => () => run(declaration, look, memory, surroundings)),
  );
}

/** One look a key. */
function looksOf({ key, name }: FunctionDeclaration, memory: MemoryCluster): readonly Look[] {
  const { by, kind } = key;
  if (by === "all") return [() => ({ members: memory.list(kind), group: "*" })];
  if (by === "object")
    return memory.list(kind).map(({ metadata }) => () => {
      const self = memory.get(kind, metadata);
      return self && { self };
    });
  const groupOf = (object: AnyObject): string =>
    by === "namespace"
      ? (object.metadata.namespace ?? "")
      : String(valueAt(object, kind.facts[key.fact ?? ""] ?? []) ?? "");
  const groups = new Set(memory.list(kind).map(groupOf));
  if (by === "fact" && groups.has("")) throw new Error(`an object without the fact ${key.fact} of ${name}`);
  return [...groups].map((group) => () => ({
    members: memory.list(kind).filter((member) => groupOf(member) === group),
    group,
  }));
}

async function run(
  declaration: FunctionDeclaration,
  look: Look,
  memory: MemoryCluster,
  { now, config, ports }: Surroundings,
): Promise<void> {
  const use = (port: AnyPort): object => usedPort(port, declaration, ports);
  const read = {
    get: async (kind: Kind, at: { readonly name: string; readonly namespace?: string | undefined }) =>
      memory.get(kind, at),
    list: async (kind: Kind, where?: { readonly namespace?: string; readonly name?: string }) =>
      memory.list(kind, where),
    pick: async (kind: Kind, where: Where, part: (object: AnyObject) => unknown) =>
      memory.list(kind, where).map(part),
  };
  const context = { now, config, uid: (purpose: string) => purpose };
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const subject = look();
    if (subject === undefined) return;
    const world = await declaration.observe?.({ ...subject, read, use, config } as never);
    const outcome: AnyOutcome = declaration.reconcile(
      { ...subject, ...(world as object) } as never,
      context as never,
    );
    const concluded = outcome.conclude?.(memory.perform(outcome.effects));
    memory.perform(concluded === undefined ? outcome.effects : concluded.record);
    const ending = concluded ?? outcome;
    const statuses =
      "self" in subject
        ? [{ of: subject.self, status: ending.status }]
        : ((ending.status ?? []) as readonly { readonly of: AnyObject; readonly status: unknown }[]);
    for (const { of, status } of statuses) memory.writeStatus(declaration.key.kind, of, status);
    if (ending.again !== true) return;
  }
}
