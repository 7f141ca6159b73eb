import type { Obj, Time, Wait } from "../../../../shared/function/index.ts";
import { type Manifest, runtimes, type State } from "../../kinds/index.ts";
import { statusOf } from "./status.ts";
import type { Report, Waiting } from "./world.ts";

/** An object of a runtime as a wait. */
export const waitOf = (cluster: string, { for: what, of }: Waiting): Wait => ({
  for: what,
  object: { ...of, cluster: runtimes.named(cluster) },
});

/** The end of a pass that says this of a Manifest. */
export function endingOf(
  self: Obj<typeof Manifest>,
  cluster: string,
  { waits = [], wakeAt, again = false, ...said }: Omit<Report, "state"> & { readonly state: State },
  now: Time,
) {
  return {
    status: statusOf(self, said, now),
    waitingFor: waits.map((wait) => waitOf(cluster, wait)),
    again,
    ...(wakeAt !== undefined && { wakeAt }),
  };
}
