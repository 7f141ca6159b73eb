import * as z from "zod";
import { type Clock, systemClock } from "../../../../../shared/clock/clock.ts";
import type { Time } from "../../../../../shared/function/index.ts";
import { jsonOf } from "../../../../../shared/json/parse.ts";
import { SecretFault, secretIn } from "../../../../../shared/oci/configured.ts";
import { told, unexpected } from "../../../../../shared/requests/bounded-get.ts";
import { bytesOf, exchange, type Fetch } from "../../../../../shared/requests/exchange.ts";
import type { HandlerAnswer, HandlerQuestion, TrustedHandlers } from "../contract.ts";
import type { TrustedHandlersSettings } from "../settings.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_OBJECTS = 1000;
const MOST_WORDS = 1000;
/** A handler that gave no answer is not asked again for so long, by whichever module. */
const PAUSE_MILLISECONDS = 5000;
/** A handler that wants to be asked again is, no sooner and no later. */
const SOONEST_SECONDS = 5;
const LATEST_SECONDS = 3600;

/** Line breaks and the like have no place in a status. */
const words = z.string().transform((text) => text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, MOST_WORDS));
const answered = z.object({
  objects: z.array(z.unknown()).max(MOST_OBJECTS).default([]),
  waitingFor: words.optional(),
  askAgainSeconds: z.number().positive().optional(),
});
const refused = z.object({ message: words });

type Settings = TrustedHandlersSettings[string];

/** Asks the handlers of a configuration over HTTP: a POST of the question as JSON. 200 is an answer, 422 a refusal in its words. */
export function httpHandlers(
  handlers: TrustedHandlersSettings,
  { clock = systemClock, fetch = globalThis.fetch }: { readonly clock?: Clock; readonly fetch?: Fetch } = {},
): TrustedHandlers {
  const paused = new Map<string, { readonly until: number; readonly answer: HandlerAnswer }>();
  return {
    knows: (name) => Object.hasOwn(handlers, name),
    ask: async (name, question) => {
      const settings = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (settings === undefined) throw new TypeError(`nobody configured the handler ${name}`);
      const pause = paused.get(name);
      if (pause !== undefined && clock.now() < pause.until) return pause.answer;
      paused.delete(name);
      const answer = await asked(name, settings, question, { clock, fetch });
      if (answer.state === "failed") paused.set(name, { until: clock.now() + PAUSE_MILLISECONDS, answer });
      return answer;
    },
  };
}

async function asked(
  name: string,
  { url, tokenFile, timeoutSeconds }: Settings,
  question: HandlerQuestion,
  { clock, fetch }: { readonly clock: Clock; readonly fetch: Fetch },
): Promise<HandlerAnswer> {
  const called = `the trusted handler ${name}`;
  let token: string | undefined;
  try {
    token = tokenFile === undefined ? undefined : await secretIn(tokenFile);
  } catch (error) {
    if (!(error instanceof SecretFault)) throw error;
    return { state: "failed", message: `${called} is not asked: ${error.message}` };
  }
  const sent = {
    url: new URL(url),
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: Buffer.from(
      JSON.stringify({ apiVersion: "reveille.dev/v1", kind: "TrustedHandlerRequest", ...question }),
    ),
  } as const;
  const got = await told(() =>
    exchange(fetch, sent, { clock, timeoutMilliseconds: timeoutSeconds * 1000 }, async (answer) => {
      const { status } = answer;
      if (status !== 200 && status !== 422) return unexpected(answer, { clock });
      return {
        state: "said" as const,
        status,
        text: Buffer.from(await bytesOf(answer, MOST_BYTES)).toString("utf8"),
      };
    }),
  );
  if (got.state === "failed") {
    const { message, notBefore } = got;
    return {
      state: "failed",
      message: `${called} gave no answer: ${message}`,
      ...(notBefore !== undefined && { notBefore: timeOf(notBefore) }),
    };
  }
  if (got.status === 422) {
    const { data } = refused.safeParse(jsonOf(got.text));
    return { state: "refused", message: `${called} refuses${data === undefined ? "" : `: ${data.message}`}` };
  }
  const { data, error } = answered.safeParse(jsonOf(got.text));
  if (data === undefined) {
    const [issue] = error.issues;
    const place = issue?.path.length ? `${issue.path.join(".")}: ` : "";
    return { state: "failed", message: `${called} answered what is none: ${place}${issue?.message}` };
  }
  const { objects, waitingFor, askAgainSeconds } = data;
  const seconds =
    askAgainSeconds && Math.min(Math.max(Math.ceil(askAgainSeconds), SOONEST_SECONDS), LATEST_SECONDS);
  return {
    state: "answered",
    objects,
    waitingFor: waitingFor === "" ? undefined : waitingFor,
    askAgain: seconds === undefined ? undefined : timeOf(clock.now() + seconds * 1000),
  };
}

const timeOf = (milliseconds: number): Time => new Date(milliseconds).toISOString();
