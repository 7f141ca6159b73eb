import type { Clock } from "../../shared/clock/clock.ts";
import type { Follow } from "../../shared/function/following.ts";
import { Reflector } from "../../shared/kube/client/reflector.ts";
import type { Log } from "../../shared/log/log.ts";

/** Makes the `follow` of a system's commands and simulations. */
export const followWith =
  (clock: Clock, log: Log): Follow =>
  (options) =>
    new Reflector({ ...options, clock, log });
