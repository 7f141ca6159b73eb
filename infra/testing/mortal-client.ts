import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { wrapClient } from "./wrapped-client.ts";

export interface MortalClient {
  readonly client: KubeClient;
  /** Writes that took effect so far. */
  readonly writes: () => number;
  /** Resolves when the host died: its next answer never came. */
  readonly died: Promise<void>;
  /** True once it has died. */
  readonly dead: () => boolean;
}

/**
 * A client of a host that dies right after its `nth` write took effect: the answer does not arrive, and no later request leaves.
 * `onDeath` ends the rest of the host in the same moment, so that it cannot tell anybody. `Infinity`: it lives.
 */
export function mortalClient(client: KubeClient, nth: number, onDeath: () => void): MortalClient {
  let writes = 0;
  let dead = false;
  let die = (): void => undefined;
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const unreachable = (): KubeError =>
    new KubeError("aborted", "The host is dead.", { request: "mortal client" });
  return {
    writes: () => writes,
    died,
    dead: () => dead,
    client: wrapClient(client, async (request, send) => {
      if (dead) throw unreachable();
      const answer = await send();
      if (dead && request.verb !== "watch") throw unreachable();
      if (!request.write) return answer;
      writes += 1;
      if (writes !== nth) return answer;
      dead = true;
      onDeath();
      die();
      throw unreachable();
    }),
  };
}
