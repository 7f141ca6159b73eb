import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { seededRandom } from "./random.ts";
import { wrapClient } from "./wrapped-client.ts";

export interface Interleaving {
  /** Requests of this client wait for their turn, which the seed decides. */
  client(client: KubeClient): KubeClient;
  /** The numbers of requests that were let through, and of faults that were made. */
  readonly counts: { readonly passed: number; readonly faults: number };
  stop(): void;
}

/**
 * The seed of the simulation kit: holds the requests of any number of clients and lets them through in an order that a seed
 * decides, several at once or one by one, so that stale reads, late writes and overtaken answers happen; with `faults`, some
 * writes are refused with a conflict or a 503, some after they took effect.
 */
export function startInterleaving(seed: number, options: { readonly faults?: number } = {}): Interleaving {
  const random = seededRandom(seed);
  const waiting: (() => void)[] = [];
  const counts = { passed: 0, faults: 0 };
  let stopped = false;
  let scheduled = false;

  const pump = (): void => {
    scheduled = false;
    const burst = 1 + Math.floor(random() * 2);
    for (let each = 0; each < burst && waiting.length > 0; each++) {
      const [next] = waiting.splice(Math.floor(random() * waiting.length), 1);
      counts.passed += 1;
      next?.();
    }
    schedule();
  };
  const schedule = (): void => {
    if (scheduled || waiting.length === 0 || stopped) return;
    scheduled = true;
    // A few turns of the event loop let further requests arrive, so that there is a choice.
    let turns = Math.floor(random() * 4);
    const turn = (): void => {
      if (turns-- > 0) setImmediate(turn);
      else pump();
    };
    setImmediate(turn);
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      schedule();
    });
  const refused = (what: string): KubeError => {
    counts.faults += 1;
    return new KubeError("unavailable", `The API server did not answer (${what}).`, {
      request: "interleaving",
      status: { code: 503 },
    });
  };

  return {
    counts,
    client: (client) =>
      wrapClient(client, async (request, send) => {
        if (stopped || request.verb === "watch") return send();
        await turn();
        const fault = request.write && random() < (options.faults ?? 0) ? random() : undefined;
        if (fault !== undefined && fault < 0.4) throw refused("before the write");
        const answer = await send();
        // Read, or written, and the answer is late: others act on what was before.
        if (random() < 0.5) await turn();
        if (fault !== undefined && fault >= 0.7) throw refused("after the write");
        return answer;
      }),
    stop: () => {
      stopped = true;
      for (const next of waiting.splice(0)) next();
    },
  };
}
