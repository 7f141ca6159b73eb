import type { TestContext } from "vitest";
import { type DryRunRounds, startDryRunRounds } from "../../../infra/testing/system/index.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import { memoryPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import { payloads, type Verifier } from "../../../shared/ports/payloads/index.ts";
import { memoryUpdateGraph } from "../ports/update-graph/adapters/index.ts";
import { updateGraph } from "../ports/update-graph/index.ts";
import { clusterVersionSystem } from "../system.ts";
import { siteOf } from "./site.ts";
import type { Bench } from "./stage.ts";

/** A bench in which each run is first run dry. */
export type DryRunStage = Bench & DryRunRounds;

/** Server and runs share a time that only leaps: a second that ends between dry run and run would make them differ. */
export async function startDryRunStage(
  api: "local" | "real",
  t: TestContext,
  verifier?: Verifier,
): Promise<DryRunStage> {
  let now = Date.now();
  const clock: Clock = { ...systemClock, now: () => now };
  const server = await startTestApi({ api, clock, controllers: false });
  t.onTestFinished(() => server.stop());
  const images = memoryPayloads({}, verifier === undefined ? {} : { verifier });
  const graph = memoryUpdateGraph();
  const rounds = await startDryRunRounds(server, {
    name: clusterVersionSystem.name,
    system: clusterVersionSystem,
    // Payloads of tests bring kinds of their own.
    configuration: { kinds: ["*"] },
    ports: [payloads.bind(images), updateGraph.bind(graph)],
    clock,
  });
  const site = siteOf({
    client: server.client,
    put: (image, files) => images.put(image, files),
    settled: rounds.settled,
    again: rounds.again,
    wait: (milliseconds) => {
      now += milliseconds;
    },
  });
  return { ...site, payloads: images, graph, compared: rounds.compared };
}
