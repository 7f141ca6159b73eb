import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Resource } from "../../shared/kube/client.ts";
import type { Routing } from "../engine/routing.ts";
import { applierTo } from "./apply-objects.ts";
import type { Stack } from "./stack.ts";
import type { TestApi } from "./test-api.ts";
import { versionsOf } from "./world.ts";

/** The time in which nothing may happen before all counts as done: several processes hear of a change one after another. */
const QUIET_MILLISECONDS = 600;
const LOOK_MILLISECONDS = 60;
const LIMIT_MILLISECONDS = 90_000;

export interface HostedStackOptions {
  readonly api: Pick<TestApi, "client" | "idle">;
  /** The cluster's name, as keys carry it. */
  readonly cluster: string;
  /** The bus of the hosts, opened once more by whoever looks on. */
  readonly bus: Pick<Bus, "counts" | "publish">;
  readonly routing: Pick<Routing, "names">;
  /** All kinds that the functions write. */
  readonly kinds: readonly Resource[];
}

/** A stack whose functions run in processes of their own. Its time passes as it does. */
export interface HostedStack
  extends Pick<Stack, "apply" | "client" | "cluster" | "everyKeyOnce" | "settled"> {
  /** Does not count as settled before so much time has passed: something is due then. */
  wait(milliseconds: number): void;
  /** Versions of all that functions write. */
  versions(): Promise<Readonly<Record<string, string>>>;
}

/** Looks on while hosts run functions: that they are done is seen on the bus and in the API server alone. */
export function hostedStack({ api, cluster, bus, routing, kinds }: HostedStackOptions): HostedStack {
  let notBefore = 0;
  const versions: HostedStack["versions"] = () => versionsOf(api.client, kinds);
  const settled = async (): Promise<void> => {
    const deadline = performance.now() + LIMIT_MILLISECONDS;
    let since = performance.now();
    for (let before = ""; ; ) {
      await api.idle();
      const counts = await bus.counts();
      const isBusy = Object.values(counts).some(
        ({ waiting, running, retrying }) => waiting + running + retrying > 0,
      );
      const now = JSON.stringify(await versions());
      if (isBusy || now !== before || performance.now() < notBefore) since = performance.now();
      before = now;
      if (performance.now() - since >= QUIET_MILLISECONDS) return;
      if (performance.now() > deadline) throw new Error(`not settled: ${JSON.stringify(counts)}`);
      await pause(LOOK_MILLISECONDS);
    }
  };
  return {
    client: api.client,
    cluster,
    apply: applierTo(api.client),
    settled,
    versions,
    wait(milliseconds) {
      notBefore = performance.now() + milliseconds;
    },
    async everyKeyOnce() {
      await bus.publish(
        routing.names.map((name) => ({
          specversion: "1.0",
          id: randomUUID(),
          type: "command.reconcile",
          source: "/test",
          time: new Date().toISOString(),
          datacontenttype: "application/json",
          data: { function: name, askedBy: "test" },
        })),
      );
      await settled();
    },
  };
}
