import type { CommandObject } from "../../../events/index.ts";
import { PAUSED } from "../../function/heeded.ts";
import type { KubeClient } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import { type Kind, resourceOf } from "../../kube/kind.ts";
import type { KubeObject } from "../../kube/object.ts";
import { orderOf, parseSaid } from "./order.ts";
import type { FunctionPause, PauseSet } from "./paused-functions.ts";

/** Beside it: the command that paused or resumed the object last, and who asked. */
export const PAUSE_COMMAND = "reveille.dev/pause-command";
const STALE_READS = 5;

/**
 * Puts the annotation on, or takes it off, unless a later command about the object came before. The newest command leaves its mark
 * also where it changes nothing else. Undefined where the object is gone.
 */
export async function pauseObject(
  client: KubeClient,
  kind: Kind,
  at: CommandObject,
  pause: FunctionPause,
  signal: AbortSignal,
): Promise<(PauseSet & { readonly object: KubeObject }) | undefined> {
  const resource = resourceOf(kind);
  for (let stale = 0; ; ) {
    const live = await client.get(resource, at, { signal });
    if (live === undefined) return undefined;
    const annotations = live.metadata.annotations ?? {};
    const order = orderOf(pause, parseSaid(annotations[PAUSE_COMMAND]));
    if (order === "older") return { outcome: "superseded", object: live, sent: false };
    if (order === "same") return { outcome: "done", object: live, sent: false };
    const isSo = (annotations[PAUSED] === "true") === pause.paused;
    const { uid, resourceVersion } = live.metadata;
    const change = {
      ...(!isSo && { [PAUSED]: pause.paused ? "true" : null }),
      [PAUSE_COMMAND]: JSON.stringify(pause),
    };
    try {
      const object = await client.patch(
        resource,
        at,
        "merge",
        { metadata: { uid, resourceVersion, annotations: change } },
        { fieldManager: "reveille-commands", signal },
      );
      return { outcome: isSo ? "unchanged" : "done", object, sent: true };
    } catch (thrown) {
      if (!(thrown instanceof KubeError) || thrown.kind !== "stale" || ++stale > STALE_READS) throw thrown;
    }
  }
}
