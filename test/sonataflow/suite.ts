import { after, afterEach, before, describe, test } from "node:test";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { scenarios } from "./scenarios.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

/** All scenarios on the whole stack, with nets off. */
export function scenarioSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`SonataFlow on the ${api} API`, { skip }, () => {
    let cluster: StackCluster;
    before(async () => {
      cluster = await startStackCluster(api);
    });
    after(() => cluster.stack.stop());
    afterEach(() => cluster.empty());
    for (const { number, name, run } of scenarios)
      test(`scenario ${number}: ${name}`, { timeout: 120_000 }, () => run(cluster));
  });
}
