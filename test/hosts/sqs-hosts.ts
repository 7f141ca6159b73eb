import { vi } from "vitest";
import { applyCrds, planCrds } from "../../infra/cli/install/crds.ts";
import { startControllers } from "../../infra/controllers/index.ts";
import { routingOf } from "../../infra/engine/routing.ts";
import { openBus } from "../../infra/hosts/open-bus.ts";
import { readSettings } from "../../infra/settings/index.ts";
import { startSimulator } from "../../infra/simulator/index.ts";
import { ownKindsOf } from "../../infra/systems/declared.ts";
import { environmentOf, startEmulatedAws } from "../../infra/testing/emulated-aws.ts";
import { type HostedStack, hostedStack } from "../../infra/testing/hosted-stack.ts";
import { clusterName } from "../../infra/watcher/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { System } from "../../shared/function/system.ts";
import type { Resource } from "../../shared/kube/client.ts";
import { silent } from "../../shared/log/log.ts";
import { Stage } from "./stage.ts";

export interface SqsHostsOptions {
  readonly system: System;
  /** Its configuration. */
  readonly configuration?: unknown;
  /** All kinds that its functions write. */
  readonly kinds: readonly Resource[];
  /** True where simulated workloads become ready, and what owners leave is collected. */
  readonly workloads: boolean;
}

/** A watcher and two workers in processes of their own, over emulated queues. */
export interface SqsHosts {
  readonly stack: HostedStack;
  stop(): Promise<void>;
}

export async function startSqsHosts(options: SqsHostsOptions): Promise<SqsHosts> {
  const { system, configuration, kinds, workloads } = options;
  const ends: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  try {
    const routing = routingOf([system]);
    const aws = await startEmulatedAws(routing.names);
    ends.push(() => aws.stop());
    const environment = {
      ...environmentOf(aws),
      ...(configuration !== undefined && {
        REVEILLE_CONFIGURATION: JSON.stringify({ [system.name]: configuration }),
      }),
      REVEILLE_RUNS_NETS: "false",
    };
    for (const [name, value] of Object.entries(aws.credentials)) vi.stubEnv(name, value);
    ends.push(() => vi.unstubAllEnvs());
    const stage = await Stage.open({ onTestFinished: (end: () => unknown) => void ends.push(end) });
    const { client } = stage;
    const idles = workloads ? await startWorkloads(stage, ends) : [];
    await applyCrds(client, await planCrds(client, ownKindsOf(routing.declarations)), systemClock);
    const { settings } = await readSettings({ environment }, async () => ({ systems: routing.systems }));
    const bus = await openBus(settings, {
      name: "onlooker",
      routing,
      cleans: false,
      clock: systemClock,
      log: silent,
    });
    ends.push(() => bus.close());
    const idle = async (): Promise<void> => {
      for (const one of idles) await one();
    };
    const cluster = await clusterName(client, settings.cluster.name ?? "local");
    const stack = hostedStack({ api: { client, idle }, cluster, bus, routing, kinds });
    const words = ["--systems", system.name];
    const hosts = [
      await stage.host(["watcher", ...words], environment),
      await stage.host(["worker", ...words], environment),
      await stage.host(["worker", ...words], environment),
    ];
    for (const host of hosts) await host.readyz(200);
    return { stack, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function startWorkloads(
  { client }: Stage,
  ends: (() => unknown)[],
): Promise<readonly (() => Promise<void>)[]> {
  const collector = await startControllers({ client, clock: systemClock });
  ends.push(() => collector.stop());
  const simulator = await startSimulator({ client, clock: systemClock, delayMilliseconds: 0 });
  ends.push(() => simulator.stop());
  return [() => collector.idle(), () => simulator.idle()];
}
