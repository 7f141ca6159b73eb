import type { KymaStatus } from "../../kinds/index.ts";
import { lacking, type Verdict } from "./conditions.ts";

/** The first words of a message by which the program in a runtime is known to be stopped. Upstream's reason is `Ready` whatever happened, so only the message can say it. */
const STOPPED = "The program that watches in the runtime cannot start: ";

/** The verdict that the program in a runtime will not start by itself: an Error of its Kyma. */
export const stopped = (why: string): Verdict<"SKRWebhook"> => lacking("SKRWebhook", `${STOPPED}${why}`);

/** True for a condition that says so. */
export const isStopped = (
  condition: Pick<NonNullable<KymaStatus["conditions"]>[number], "type" | "status" | "message"> | undefined,
): boolean =>
  condition?.type === "SKRWebhook" && condition.status === "False" && condition.message.startsWith(STOPPED);
