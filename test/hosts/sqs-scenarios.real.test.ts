import { afterAll, beforeAll, describe, vi } from "vitest";
import { clusterVersionSystem } from "../../functions/cluster-version/system.ts";
import {
  hostedSite,
  KINDS,
  type PayloadFolder,
  payloadFolder,
} from "../../functions/cluster-version/test/hosted-site.ts";
import { onHosts } from "../../functions/cluster-version/test/proofs.ts";
import type { Site } from "../../functions/cluster-version/test/site.ts";
import { applyCrds, planCrds } from "../../infra/cli/install/crds.ts";
import { routingOf } from "../../infra/engine/routing.ts";
import { openBus } from "../../infra/hosts/open-bus.ts";
import { readSettings } from "../../infra/settings/index.ts";
import { ownKindsOf } from "../../infra/systems/declared.ts";
import { environmentOf, startEmulatedAws } from "../../infra/testing/emulated-aws.ts";
import { type HostedStack, hostedStack } from "../../infra/testing/hosted-stack.ts";
import { scenariosOnHosts } from "../../infra/testing/system/on-hosts.ts";
import { clusterName } from "../../infra/watcher/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { silent } from "../../shared/log/log.ts";
import { Stage } from "./stage.ts";

describe("a watcher and two workers over SQS play the version operator's scenarios", {
  timeout: 1_200_000,
}, () => {
  const ends: (() => unknown)[] = [];
  let stack: HostedStack;
  let site: Site;
  beforeAll(async () => {
    const routing = routingOf([clusterVersionSystem]);
    const aws = await startEmulatedAws(routing.names);
    ends.push(() => aws.stop());
    const payloads: PayloadFolder = payloadFolder();
    ends.push(() => payloads.remove());
    const environment = {
      ...environmentOf(aws),
      REVEILLE_CONFIGURATION: JSON.stringify({
        "cluster-version": { payloads: payloads.path, kinds: ["*"] },
      }),
      REVEILLE_RUNS_NETS: "false",
    };
    for (const [name, value] of Object.entries(aws.credentials)) vi.stubEnv(name, value);
    ends.push(() => vi.unstubAllEnvs());
    const stage = await Stage.open({ onTestFinished: (end: () => unknown) => void ends.push(end) });
    await applyCrds(
      stage.client,
      await planCrds(stage.client, ownKindsOf(routing.declarations)),
      systemClock,
    );
    const { settings } = await readSettings({ environment }, async () => ({ systems: routing.systems }));
    const bus = await openBus(settings, {
      name: "onlooker",
      routing,
      cleans: false,
      clock: systemClock,
      log: silent,
    });
    ends.push(() => bus.close());
    stack = hostedStack({
      api: { client: stage.client, idle: async () => undefined },
      cluster: await clusterName(stage.client, settings.cluster.name ?? "local"),
      bus,
      routing,
      kinds: KINDS,
    });
    site = hostedSite(stack, payloads);
    const words = ["--systems", "cluster-version"];
    const hosts = [
      await stage.host(["watcher", ...words], environment),
      await stage.host(["worker", ...words], environment),
      await stage.host(["worker", ...words], environment),
    ];
    for (const host of hosts) await host.readyz(200);
  }, 120_000);
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  scenariosOnHosts("the version operator over SQS", onHosts, () => ({ site, stack }));
});
