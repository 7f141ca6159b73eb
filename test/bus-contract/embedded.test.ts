import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openMemoryBus } from "../../infra/testing/memory-bus.ts";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import type { BusRequest, BusUnderTest } from "./fixture.ts";
import { busContract } from "./suite.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-contract-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let number = 0;

const onFile = (request: BusRequest, file: string): BusUnderTest => {
  const bus = openEmbeddedBus({ ...request, file, random: () => 0 });
  const reopen = async (): Promise<BusUnderTest> => onFile(request, file);
  return { bus, reopen, beside: undefined, kill: () => bus.abandon() };
};

busContract(
  "embedded, in a file",
  async (request) => {
    number += 1;
    return onFile(request, join(folder, `${number}.db`));
  },
  { interleavings: 25, can: { knowsLateEchoes: false } },
);

busContract(
  "embedded, in memory",
  async (request) => {
    const bus = openMemoryBus({ ...request, random: () => 0 });
    return { bus, reopen: undefined, beside: undefined, kill: () => bus.abandon() };
  },
  { can: { knowsLateEchoes: false } },
);
