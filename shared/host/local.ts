import type { Consumer, Lease, Work } from "../bus/contract.ts";
import type { WorkItem } from "../bus/item.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { KubeClient } from "../kube/client.ts";
import { LentPlaces } from "../runner/lent-places.ts";
import { type ComposedHost, composeHost, type HostParts } from "./compose.ts";

export interface LocalHostParts extends HostParts {
  /**
   * The client of each function. Default: `client` for all. With a client of its own a function is as in a process of its own: it
   * knows nothing that it did not read.
   */
  readonly clientOf?: ((declaration: FunctionDeclaration) => KubeClient) | undefined;
  /** The number of items that run at once. Default 32, as many as a client's writes in flight. */
  readonly parallel?: number | undefined;
}

/** A host that runs until it is stopped, as a consumer of the bus is. */
export type LocalHost = Pick<Consumer, "stop">;

/** So many times its own places a host runs in those that are lent: each run takes memory. */
const MOST_LENT = 3;

/**
 * Runs all functions of some systems in this process, and carries out commands, on any bus. Throws a `DeclarationError` where a
 * port that one of them uses has no adapter.
 */
export function startLocalHost({ clientOf, parallel = 32, ...parts }: LocalHostParts): LocalHost {
  const lent = new LentPlaces(parts.clock, parts.client);
  const host = composeHost({ ...parts, lent });
  const { reach } = host;
  const work = clientOf === undefined ? host.work : workApart(host, clientOf);
  const consumer = parts.bus.consume({ parallel, functions: parts.only }, work);
  const endLending = lent.subscribe((places) => consumer.lend(Math.min(places, parallel * MOST_LENT)));
  const leave = (): void => consumer.leave(reach.left);
  const unsubscribe = reach.subscribe(leave);
  leave();
  return {
    async stop(milliseconds) {
      unsubscribe();
      endLending();
      await consumer.stop(milliseconds);
      host.close();
    },
  };
}

/** Each function with its own client; commands with that of the host. */
function workApart(host: ComposedHost, clientOf: (declaration: FunctionDeclaration) => KubeClient): Work {
  const apart = new Map(
    [...host.functions.keys()].map((one) => [one.name, host.workApart(one, clientOf(one))]),
  );
  const of = (name: string): Work => apart.get(name) ?? host.work;
  return Object.assign((lease: Lease) => of(lease.item.function)(lease), {
    ahead: (item: WorkItem) => of(item.function).ahead?.(item),
  });
}
