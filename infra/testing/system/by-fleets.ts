import { afterAll, afterEach, beforeAll, describe, test, vi } from "vitest";
import { type EmulatedAws, startEmulatedAws } from "../emulated-aws.ts";
import type { Fleet } from "../fleet.ts";
import { natsFleet, sqsFleet } from "../fleets.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../nats-server.ts";
import { assertAtRest } from "./at-rest.ts";
import type { Proof, Stage } from "./proof.ts";
import { isInSample, SHARES } from "./sample.ts";
import { titleOf } from "./scenario.ts";

const LIMIT_MILLISECONDS = 120_000;
/** The sizes of the fleets over NATS: alone, a few, and more than this machine has cores. */
const WORKERS = [1, 4, 16] as const;

/** All scenarios by one, four and sixteen workers over NATS, or of these a sample. After each the world is at rest. */
export function scenariosOverNats<S extends Stage>(proof: Proof<S>): void {
  let server: NatsServer | undefined;
  for (const [place, workers] of WORKERS.entries())
    scenariosBy(`${proof.name} by ${workers} ${workers === 1 ? "worker" : "workers"} over NATS`, proof, {
      skip: skipWithoutNats() !== false,
      // The sizes take turns, too.
      isPlayed: (number) =>
        isInSample(SHARES.fleetScenarios, `${proof.name} over NATS`, number * WORKERS.length + place),
      start: async () => {
        server = await startNatsServer();
        return natsFleet(server, workers);
      },
      stop: () => server?.stop(),
    });
}

/** The same by two workers over emulated queues. */
export function scenariosOverSqs<S extends Stage>(proof: Proof<S>): void {
  const name = `${proof.name} by 2 workers over SQS`;
  let aws: EmulatedAws | undefined;
  scenariosBy(name, proof, {
    skip: false,
    isPlayed: (number) => isInSample(SHARES.hostScenarios, name, number),
    start: async () => {
      aws = await startEmulatedAws(proof.system.functions.map((one) => one.name));
      for (const [variable, value] of Object.entries(aws.credentials)) vi.stubEnv(variable, value);
      return sqsFleet(aws, 2);
    },
    stop: async () => {
      await aws?.stop();
      vi.unstubAllEnvs();
    },
  });
}

interface FleetSuite {
  readonly skip: boolean;
  readonly isPlayed: (number: number) => boolean;
  start(): Promise<Fleet>;
  stop(): unknown;
}

function scenariosBy<S extends Stage>(name: string, proof: Proof<S>, suite: FleetSuite): void {
  const played = proof.scenarios.filter(({ number }) => suite.isPlayed(number));
  describe(name, { skip: suite.skip || played.length === 0 }, () => {
    let stage: S | undefined;
    const started = (): S => {
      if (stage === undefined) throw new Error("The hosts did not start.");
      return stage;
    };
    beforeAll(async () => {
      stage = await proof.start({ api: "local", fleet: await suite.start() });
    });
    afterAll(async () => {
      await stage?.stop();
      await suite.stop();
    });
    afterEach(() => started().empty());
    for (const scenario of played)
      test(titleOf(scenario), { timeout: LIMIT_MILLISECONDS }, async () => {
        await scenario.run(started());
        await assertAtRest(started(), proof);
      });
  });
}
