import type { GraphAnswer } from "../../../ports/update-graph/index.ts";
import type { Verdict } from "../types.ts";
import type { Retrieval } from "./available-status.ts";
import type { Question } from "./graph-query.ts";
import { offersOf } from "./offers.ts";

const failed = (reason: string, message: string): Retrieval => ({
  state: "failed",
  verdict: { status: "False", reason, message: `Unable to retrieve available updates: ${message}` },
});

/** The meaning of an answer; without one, the reason why nobody was asked. */
export function retrievalOf(question: Question, answer: GraphAnswer | undefined): Retrieval {
  if (question.state === "cannot ask") return { state: "failed", verdict: question.verdict };
  if (answer === undefined) return failed("Unknown", "nobody was asked");
  if (answer.state === "failed") return failed(answer.reason, answer.message);
  const { query, migrates } = question;
  const offers = offersOf(answer.graph, { version: query.version, channel: query.channel, migrates });
  return "reason" in offers ? failed(offers.reason, offers.message) : { state: "offers", offers };
}

/** The condition where the function itself failed. */
export const failureVerdict = (message: string): Verdict => ({
  status: "False",
  reason: "Unknown",
  message: `Unable to retrieve available updates: ${message}`,
});
