import { after, before, describe } from "node:test";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { type NatsStage, startNatsStage } from "./nats-stage.ts";
import { busContract } from "./suite.ts";

describe("on a real nats-server", { skip: skipWithoutNats() }, () => {
  let stage: NatsStage;
  before(async () => {
    stage = await startNatsStage();
  });
  after(() => stage.stop());
  busContract("NATS JetStream", (request) => stage.makeBus(request), {
    clock: () => stage.clock(),
    interleavings: 5,
    can: { handsOverAtOnce: false, ordersKeys: false, keepsOurTime: false },
  });
});
