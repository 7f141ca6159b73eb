import { setTimeout as pause } from "node:timers/promises";
import type { FaultProxy, ProxyMode } from "../testing/fault-proxy.ts";

const MODES: readonly ProxyMode[] = ["stall", "reset", "half-close", "swallow", "slow", "refuse"];

/** Breaks a way in every mode, each for so long, and mends it after each. */
export async function breakInAllModes(proxy: FaultProxy, milliseconds: number): Promise<void> {
  for (const mode of MODES) {
    await proxy.set(mode);
    await pause(milliseconds);
    await proxy.set("pass");
  }
}
