import type { System } from "../../../shared/function/system.ts";

/** Tells whoever deploys systems what these lack on Lambda, or need there beside the others: a sentence each. */
export const notesOf = (systems: readonly System[]): readonly string[] =>
  systems.flatMap(({ name, functions, admissions, hooks }) => [
    ...admissions.map(
      (admission) =>
        `${name}: on Lambda nobody answers the API server's question ${admission.name} (${admission.operations.join(" and ")} of ${admission.kind.kind}). What it would have refused is stored, and the object's status says what became of it. Register no webhook for it, or one with failurePolicy Ignore; to have such edits refused at once, run ${name} in the cluster.`,
    ),
    ...hooks.map(
      (hook) =>
        `${name}: on Lambda nobody answers the hook ${hook.name}: whoever asks it waits, or goes on without, as it is told to for one that is down. Run ${name} in the cluster where it is needed.`,
    ),
    ...functions
      .filter(({ executes }) => executes !== undefined)
      .map(
        (declaration) =>
          `${declaration.name}: ${declaration.executes}. It reads them over a WebSocket from Lambda to the API server: whatever stands between them must let WebSockets through, or each try fails and the object's status says so; else run ${name} in the cluster.`,
      ),
  ]);
