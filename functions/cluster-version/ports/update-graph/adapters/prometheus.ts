import * as z from "zod";
import { type Clock, systemClock } from "../../../../../shared/clock/clock.ts";
import { messageOf } from "../../../../../shared/errors.ts";
import { jsonOf } from "../../../../../shared/json/parse.ts";
import { boundedGet, type Fetch } from "../../../../../shared/requests/bounded-get.ts";
import { MOST, remembered } from "../../../../../shared/requests/remembered.ts";
import type { QueryVerdict } from "../contract.ts";

export interface PrometheusOptions {
  /** The URL of Prometheus, without `/api/v1/query`. */
  readonly url: string;
  /** Sent as a bearer token; asked for at each request, so that it may be renewed. */
  readonly token?: () => Promise<string>;
  /** The time for which a verdict stands. Default: ten minutes. A failure stands for a minute at most. */
  readonly maximumAgeMilliseconds?: number;
  /** Default: 30 s. */
  readonly timeoutMilliseconds?: number;
  readonly clock?: Clock;
  readonly fetch?: Fetch;
}

const sample = z.tuple([z.number(), z.string()]);
const answer = z.discriminatedUnion("resultType", [
  z.object({ resultType: z.literal("vector"), result: z.array(z.object({ value: sample })) }),
  z.object({ resultType: z.literal("scalar"), result: sample }),
]);
const envelope = z.object({ status: z.literal("success"), data: answer });

const FAILED_FOR = 60_000;
const MAXIMUM_BYTES = 1024 * 1024;

/** Asks a Prometheus whether risks apply. One time series that says 1 or 0 is an answer, anything else a failure. */
export function prometheusQueries(options: PrometheusOptions): (promql: string) => Promise<QueryVerdict> {
  const clock = options.clock ?? systemClock;
  const age = options.maximumAgeMilliseconds ?? 600_000;
  const ask = async (promql: string): Promise<QueryVerdict> => {
    const url = URL.parse(`${options.url.replace(/\/$/, "")}/api/v1/query`);
    if (url === null) return failed(`${JSON.stringify(options.url)} is no URL`);
    url.searchParams.set("query", promql);
    const token = await tokenOf(options);
    if (token instanceof Error) return failed(`no token: ${token.message}`);
    const fetched = await boundedGet(
      options.fetch ?? globalThis.fetch,
      url,
      { accept: "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      { clock, timeoutMilliseconds: options.timeoutMilliseconds ?? 30_000, maximumBytes: MAXIMUM_BYTES },
    );
    return fetched.state === "failed" ? failed(fetched.message) : verdictOf(fetched.text);
  };
  // A failure is asked anew sooner than a verdict: two memories, of which the longer one only keeps verdicts.
  const verdicts = new Map<string, { readonly until: number; readonly verdict: QueryVerdict }>();
  const often = remembered(clock, Math.min(age, FAILED_FOR), ask);
  return async (promql) => {
    const known = verdicts.get(promql);
    if (known !== undefined && clock.now() < known.until) return known.verdict;
    verdicts.delete(promql);
    const verdict = await often(promql);
    if (verdict.state === "failed") return verdict;
    for (const [old, { until }] of verdicts)
      if (until <= clock.now() || verdicts.size >= MOST) verdicts.delete(old);
    verdicts.set(promql, { until: clock.now() + age, verdict });
    return verdict;
  };
}

/** The token, or the error as a value: a caller who asks for a verdict never meets an exception. */
async function tokenOf({ token }: PrometheusOptions): Promise<string | undefined | Error> {
  try {
    return await token?.();
  } catch (error) {
    return new Error(messageOf(error), { cause: error });
  }
}

function verdictOf(text: string): QueryVerdict {
  const parsed = z.string().transform(jsonOf).pipe(envelope).safeParse(text);
  if (!parsed.success) return failed("the answer is none that Prometheus gives to a query");
  const { data } = parsed.data;
  const values = data.resultType === "scalar" ? [data.result] : data.result.map(({ value }) => value);
  if (values.length !== 1) return failed(`the query gives ${values.length} time series instead of one`);
  const value = Number(values[0]?.[1]);
  if (value === 1) return { state: "match" };
  return value === 0 ? { state: "no match" } : failed("the query gives another value than 0 or 1");
}

const failed = (cause: string): QueryVerdict => ({ state: "failed", cause });
