import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import { exceptions, sqsSite } from "./sqs-site.ts";
import { busContract } from "./suite.ts";

const { started, open } = sqsSite();

busContract(
  "SQS FIFO on fauxqs, state in memory",
  async (request) =>
    open(request, new MemoryStateStore(request.clock, { maximumRuns: request.history.maximumRuns })),
  { clock: () => started().emulation.clock(), can: exceptions, interleavings: 15 },
);
