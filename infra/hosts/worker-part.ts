import { messageOf } from "../../shared/errors.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { readPausedFunctions } from "../../shared/host/commands/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import type { Log } from "../../shared/log/log.ts";
import type { WorkRole } from "../engine/roles.ts";
import { olderCrds } from "../systems/older-crds.ts";
import { partOf } from "../systems/parts.ts";
import type { HostContext } from "./host.ts";

/** The functions that run here: those that the settings name, or all. */
export function functionsHere({ settings, routing }: HostContext): readonly FunctionDeclaration[] {
  const { only } = settings.worker;
  return routing.declarations.filter(({ name }) => only === undefined || only.includes(name));
}

/** The work of a worker, by its settings: the number of items at once, their functions, and the time limit. */
export const workRole = ({ settings, connections }: HostContext): WorkRole => ({
  connections,
  parallel: settings.worker.parallel ?? settings.cluster.concurrentWrites,
  only: settings.worker.only,
  nets: settings.runs.nets,
  limitMilliseconds: settings.runs.limit,
});

/** Tells in metrics what is paused, and what the systems whose functions run here have to tell. */
export async function tellOfWork(context: HostContext): Promise<void> {
  const { settings, systems, client } = context;
  const here = functionsHere(context);
  for (const system of systems) {
    const metrics = await partOf(system.name, "metrics");
    if (metrics !== undefined && here.some(({ key }) => isSameKind(key.kind, metrics.kind)))
      context.metrics.ofSystem(metrics, client);
  }
  context.metrics.ofPauses(() => readPausedFunctions(client, settings.home.namespace));
}

/** Says in the log which CRDs in the cluster are older than this program. That it cannot be told is no reason not to start. */
export async function tellOfOlderCrds({
  client,
  functions,
  log,
}: {
  readonly client: Pick<KubeClient, "raw">;
  readonly functions: readonly FunctionDeclaration[];
  readonly log: Log;
}): Promise<void> {
  try {
    for (const { crd, fields } of await olderCrds(client, functions))
      log.warn(
        { crd, fields },
        "this CRD in the cluster lacks fields that functions write: their runs are parked until `reveille crds | kubectl apply --server-side -f -` has renewed it",
      );
  } catch (thrown) {
    log.warn({ error: messageOf(thrown) }, "the CRDs in the cluster could not be compared with this program");
  }
}

const isSameKind = (one: Kind, other: Kind): boolean => one.group === other.group && one.kind === other.kind;
