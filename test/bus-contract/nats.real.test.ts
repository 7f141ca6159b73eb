import { afterAll, beforeAll, describe } from "vitest";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { type NatsStage, startNatsStage } from "./nats-stage.ts";
import { busContract } from "./suite.ts";

describe("on a real nats-server", { skip: skipWithoutNats() !== false }, () => {
  let stage: NatsStage;
  beforeAll(async () => {
    stage = await startNatsStage();
  });
  afterAll(() => stage.stop());
  busContract("NATS JetStream", (request) => stage.makeBus(request), {
    clock: () => stage.clock(),
    interleavings: 5,
    can: { handsOverAtOnce: false, ordersKeys: false, keepsOurTime: false },
  });
});
