import {
  type EmbeddedBus,
  type EmbeddedBusOptions,
  openEmbeddedBus,
} from "../../shared/bus/embedded/index.ts";

/** The embedded bus on memory: the same code, forgotten with the process. */
export const openMemoryBus = (options: Omit<EmbeddedBusOptions, "file" | "powerCutSafe">): EmbeddedBus =>
  openEmbeddedBus({ ...options, file: ":memory:" });
