import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { wrapClient } from "./wrapped-client.ts";

export interface MortalHost {
  /** The same client, with which that host dies. All of its clients count, whichever cluster they lead to. */
  readonly through: (client: KubeClient) => KubeClient;
  /** Writes that took effect so far. */
  readonly writes: () => number;
  /** Resolves when the host died: its next answer never came. */
  readonly died: Promise<void>;
  /** True once it has died. */
  readonly dead: () => boolean;
}

export interface MortalClient extends Omit<MortalHost, "through"> {
  readonly client: KubeClient;
}

/**
 * A client of a host that dies right after its `nth` write took effect: the answer does not arrive, and no later request leaves.
 * `onDeath` ends the rest of the host in the same moment, so that it cannot tell anybody. `Infinity`: it lives.
 */
export function mortalClient(client: KubeClient, nth: number, onDeath: () => void): MortalClient {
  const { through, ...host } = mortalHost(nth, onDeath);
  return { ...host, client: through(client) };
}

/** A host that dies so, with any number of clients. */
export function mortalHost(nth: number, onDeath: () => void): MortalHost {
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
    through: (client) =>
      wrapClient(client, async (request, send) => {
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
