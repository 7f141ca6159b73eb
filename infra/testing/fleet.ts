import type { Bus } from "../../shared/bus/contract.ts";
import type { RunRecord } from "../../shared/bus/run-record.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Engine, type EngineOptions, startEngine, type WatchingEngine } from "../engine/engine.ts";
import type { WatchRole, WorkRole } from "../engine/roles.ts";
import { type Routing, routingOf } from "../engine/routing.ts";

/** A bus that a test may end as the death of its process would. */
export type MortalBus = Bus & { abandon(): void };

/** A watcher and workers in this process, each with a client of the API server and a connection to the bus of its own. */
export interface Fleet {
  /** The number of workers. */
  readonly workers: number;
  /** The number of items that each of them runs at once. */
  readonly parallel: number;
  /** The time in milliseconds for which nothing may happen before all counts as done. */
  readonly quiet: number;
  /** Opens the bus once more: for one host, or for whoever looks on. */
  open(routing: Routing, options: Pick<FleetParts, "clock" | "log">): Promise<MortalBus>;
  /** Makes another bus of the watcher's, such as one that doubles events. */
  readonly watchersBus?: ((bus: MortalBus) => MortalBus) | undefined;
  /** Called once all have started; `kill` ends one worker as its death would. */
  readonly started?: ((workers: { readonly kill: () => Promise<void> }) => void) | undefined;
}

/** The parts with which each host of a fleet is started. */
export interface FleetParts
  extends Omit<EngineOptions, "bus" | "roles" | "routing" | "client">,
    Pick<WatchRole, "timing">,
    Pick<WorkRole, "limitMilliseconds" | "nets" | "ports"> {
  readonly systems: Routing["systems"];
  /** The client of one host. */
  readonly newClient: () => KubeClient;
  /** The listener for each run of any worker. */
  readonly ran: (run: RunRecord) => void;
}

/** Starts the hosts of a fleet. They end together, as one engine. */
export async function startFleet(fleet: Fleet, parts: FleetParts): Promise<WatchingEngine<MortalBus>> {
  const { systems, newClient, ran, timing, clock = systemClock, ...common } = parts;
  const { ports, nets, limitMilliseconds, ...others } = common;
  const routing = routingOf(systems);
  const hosts: Engine<MortalBus>[] = [];
  const endOne = async (
    host: Engine<MortalBus>,
    how: (host: Engine<MortalBus>) => Promise<void>,
  ): Promise<void> => {
    await how(host);
    await host.bus.close();
  };
  const end = async (how: (host: Engine<MortalBus>) => Promise<void>): Promise<void> => {
    for (const host of hosts.splice(0)) await endOne(host, how);
  };
  const abandon = (host: Engine<MortalBus>): Promise<void> => {
    host.bus.abandon();
    return host.abandon();
  };
  const stop = (): Promise<void> => end((host) => host.stop());
  try {
    const base = { ...others, routing, clock };
    const open = (): Promise<MortalBus> => fleet.open(routing, parts);
    const own = await open();
    const bus = fleet.watchersBus?.(own) ?? own;
    const { parallel } = fleet;
    const watch = { ledger: ":memory:", lease: false, timing } as const;
    const watching = await startEngine({ ...base, bus, client: newClient(), roles: { watch } });
    hosts.push(watching);
    for (let count = 0; count < fleet.workers; count += 1) {
      const opened = await open();
      opened.subscribe({ ran });
      const work = { ports, nets, parallel, limitMilliseconds };
      hosts.push(await startEngine({ ...base, bus: opened, client: newClient(), roles: { work } }));
    }
    fleet.started?.({
      kill: async () => {
        const [worker] = hosts.splice(1, 1);
        if (worker !== undefined) await endOne(worker, abandon);
      },
    });
    return {
      bus,
      watcher: watching.watcher,
      use: () => Promise.reject(new Error("The hosts of a fleet keep their functions.")),
      stop,
      abandon: () => end(abandon),
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}
