import { afterAll, beforeAll, describe } from "vitest";
import { clusterVersionSystem } from "../../functions/cluster-version/system.ts";
import { hostedSite, KINDS, payloadFolder } from "../../functions/cluster-version/test/hosted-site.ts";
import { onHosts as versionScenarios } from "../../functions/cluster-version/test/proofs.ts";
import type { Site } from "../../functions/cluster-version/test/site.ts";
import { kudo } from "../../functions/kudo/index.ts";
import { hostedShop, KINDS as KUDO_KINDS } from "../../functions/kudo/test/hosted-shop.ts";
import { onQueues } from "../../functions/kudo/test/scenarios.ts";
import type { Shop } from "../../functions/kudo/test/shop.ts";
import { scenariosOnHosts } from "../../infra/testing/system/on-hosts.ts";
import { type SqsHosts, startSqsHosts } from "./sqs-hosts.ts";

describe("a watcher and two workers over SQS play the version operator's scenarios", {
  timeout: 1_200_000,
}, () => {
  const payloads = payloadFolder();
  let hosts: SqsHosts;
  let site: Site;
  beforeAll(async () => {
    hosts = await startSqsHosts({
      system: clusterVersionSystem,
      configuration: { payloads: payloads.path, kinds: ["*"] },
      kinds: KINDS,
      workloads: false,
    });
    site = hostedSite(hosts.stack, payloads);
  }, 120_000);
  afterAll(async () => {
    await hosts?.stop();
    payloads.remove();
  });

  scenariosOnHosts("the version operator over SQS", versionScenarios, () => ({ site, stack: hosts.stack }));
});

describe("a watcher and two workers over SQS play KUDO's scenarios", { timeout: 1_200_000 }, () => {
  let hosts: SqsHosts;
  let site: Shop;
  beforeAll(async () => {
    hosts = await startSqsHosts({ system: kudo, kinds: KUDO_KINDS, workloads: true });
    site = hostedShop(hosts.stack);
  }, 120_000);
  afterAll(async () => {
    await site?.stop();
    await hosts?.stop();
  });

  scenariosOnHosts("KUDO over SQS", onQueues, () => ({ site, stack: hosts.stack }));
});
