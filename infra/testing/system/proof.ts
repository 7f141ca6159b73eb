import type { BoundPort } from "../../../shared/function/port.ts";
import type { System } from "../../../shared/function/system.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import type { Stack, StackOptions } from "../stack.ts";
import type { Scenario } from "./scenario.ts";
import type { MeantRead } from "./unwoken-reads.ts";

/** A stage as the kit needs it: the rest is between a system's stage and its scenarios. */
export interface Stage {
  readonly stack: Stack;
  /** Resolves when no work is left anywhere. */
  settled(): Promise<void>;
  /** Runs every key once more and resolves when that is done. */
  again(): Promise<void>;
  /** Resolves once that is so: what others do in the cluster. */
  until?(what: string, holds: () => Promise<boolean>): Promise<void>;
  /** The objects in other clusters, without what their servers make up. */
  elsewhere?(): Promise<unknown>;
  /** Takes away what a scenario left, so that the next one begins in an empty cluster. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/** On what a stage is built. Nets are off. */
export interface StageOptions
  extends Partial<Pick<StackOptions, "engineClient" | "clusterClient" | "directory" | "fleet" | "log">> {
  readonly api: "local" | "real";
  /** To run in place of the system itself: the same, as the kit watches it. */
  readonly system?: System;
}

/** A system as it stands in tests. */
export interface SystemInTests {
  /** The name of its suites. */
  readonly name: string;
  readonly system: System;
  /** The kinds of a slot that scenarios fill: what only objects name. */
  readonly brings?: readonly Kind[];
  /** Its own configuration. Default: what its schema says where nothing is given. */
  readonly configuration?: unknown;
  /** The adapters of the ports that its functions use. */
  readonly ports?: readonly BoundPort[];
}

/** A system, handed over so that the kit can prove it. */
export interface Proof<S extends Stage> extends SystemInTests {
  readonly scenarios: readonly Scenario<S>[];
  start(options: StageOptions): Promise<S>;
  /** Numbers of the scenarios in which several write at once: played in many orders of requests, and with faults. */
  readonly races: readonly number[];
  /** The number of these orders. */
  readonly orders: number;
  /** Numbers of the scenarios that are played with a death after each write. Default: all. */
  readonly deaths?: readonly number[];
  /** Picks what two plays of a scenario must agree in out of the world that the kit compares. Default: all of it. */
  readonly essence?: (world: Readonly<Record<string, unknown>>) => unknown;
  /** Fields that its functions read of other kinds although a change of them does not wake, and why that is right. */
  readonly meantReads?: readonly MeantRead[];
  /** True where its stage has workloads that need a controller manager on the real API. */
  readonly controllerManager: boolean;
}

/** The kinds that a system writes: its keys', its children, and what else it declares to write, but for what no function watches. */
export function writtenKinds({
  system,
  brings = [],
}: Pick<SystemInTests, "system" | "brings">): readonly Resource[] {
  const declared = system.functions.flatMap(({ key, owns, writes }) => [
    key.kind,
    ...owns,
    ...writes.flatMap((one) => ("unwatched" in one ? [] : [one])),
  ]);
  const kinds = [...declared, ...brings];
  return [...new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, resourceOf(kind)])).values()];
}
