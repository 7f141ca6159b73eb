import { systemClock } from "../../shared/clock/clock.ts";
import type { Follow } from "../../shared/function/following.ts";
import { silent } from "../../shared/log/log.ts";
import { followWith } from "../systems/follow.ts";

/** The `follow` of a system's parts, for tests of theirs. */
export const follow: Follow = followWith(systemClock, silent);
export { simulateSystem } from "../simulator/system.ts";
export { samplesOf, withSampleConfiguration } from "../systems/samples.ts";
