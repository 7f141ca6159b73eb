import type { System } from "../../../shared/function/system.ts";
import { declaredClusters } from "../../../shared/runner/rights.ts";

/** Tells whoever deploys systems what these lack on Lambda, or need there beside the others: a sentence each. */
export const notesOf = (systems: readonly System[]): readonly string[] =>
  systems.flatMap(({ name, functions, admissions, hooks, triggers }) => [
    ...admissions.map(
      (admission) =>
        `${name}: on Lambda nobody answers the API server's question ${admission.name} (${admission.operations.join(" and ")} of ${admission.kind.kind}). What it would have refused is stored, and the object's status says what became of it. Register no webhook for it, or one with failurePolicy Ignore; to have such edits refused at once, run \`reveille serve\` for ${name} in the cluster, on the same bus.`,
    ),
    ...hooks.map(
      (hook) =>
        `${name}: on Lambda nobody answers the hook ${hook.name}: whoever asks it waits, or goes on without, as it is told to for one that is down. Where it is needed, run \`reveille serve\` for ${name} in the cluster, on the same bus.`,
    ),
    ...triggers.map(
      (trigger) =>
        `${name}: on Lambda nobody listens for ${trigger.name} (POST ${trigger.path}, with a certificate): whoever would call there is not heard. Run \`reveille serve\` for ${name} in the cluster, on the same bus, or leave out the settings that have them call.`,
    ),
    ...functions
      .filter((declaration) => declaredClusters(declaration).length > 0)
      .map(
        (declaration) =>
          `${declaration.name}: it reaches other clusters from Lambda, by the kubeconfigs in their Secrets: their API servers must be reachable from there (params vpcSubnets and vpcSecurityGroups for private ones). What it waits for in them is looked at every 10 s; else run ${name} in the cluster.`,
      ),
    ...functions
      .filter(({ executes }) => executes !== undefined)
      .map(
        (declaration) =>
          `${declaration.name}: ${declaration.executes}. It reads them over a WebSocket from Lambda to the API server: whatever stands between them must let WebSockets through, or each try fails and the object's status says so; else run ${name} in the cluster.`,
      ),
  ]);
