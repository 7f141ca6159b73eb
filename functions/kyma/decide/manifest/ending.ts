import type { ClusterState, Obj, Time, Wait } from "../../../../shared/function/index.ts";
import { type Manifest, runtimes, type State } from "../../kinds/index.ts";
import { statusOf } from "./status.ts";
import type { Report, Waiting } from "./world.ts";

/** An object as a wait. */
const waitOf = (cluster: string, { for: what, of, isAtHome = false }: Waiting): Wait => ({
  for: what,
  object: isAtHome ? of : { ...of, cluster: runtimes.named(cluster) },
});

/** The end of a pass that says this of a Manifest. Nothing comes to pass in a runtime that is lost, so its loss is waited for as well. */
export function endingOf(
  self: Obj<typeof Manifest>,
  there: ClusterState,
  { waits = [], wakeAt, again = false, ...said }: Omit<Report, "state"> & { readonly state: State },
  now: Time,
) {
  const waitingFor = waits.map((wait) => waitOf(there.cluster, wait));
  return {
    status: statusOf(self, said, now),
    waitingFor: waitingFor.length === 0 ? [] : [...waitingFor, there.wait],
    again,
    ...(wakeAt !== undefined && { wakeAt }),
  };
}
