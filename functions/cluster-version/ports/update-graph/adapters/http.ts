import { type Clock, systemClock } from "../../../../../shared/clock/clock.ts";
import { boundedGet, type Fetch, type RequestLimits } from "../../../../../shared/requests/bounded-get.ts";
import { remembered } from "../../../../../shared/requests/remembered.ts";
import type { GraphAnswer, GraphQuery, QueryVerdict, UpdateGraph } from "../contract.ts";

export interface HttpUpdateGraphOptions {
  /** The time for which an answer, be it a failure, stands for the same query. Default: two minutes. */
  readonly maximumAgeMilliseconds?: number;
  /** For a whole answer. Default: 30 s. */
  readonly timeoutMilliseconds?: number;
  /** The most bytes of an answer. Default: 32 MiB. */
  readonly maximumBytes?: number;
  /** Answers PromQL queries. Default: nobody does, and every such risk stays unknown. */
  readonly evaluate?: (promql: string) => Promise<QueryVerdict>;
  readonly clock?: Clock;
  readonly fetch?: Fetch;
}

const nobody = async (): Promise<QueryVerdict> => ({
  state: "failed",
  cause: "no evaluator of PromQL is set up",
});

/** Update services that speak Cincinnati over HTTP, such as upstream's own. */
export function httpUpdateGraph(options: HttpUpdateGraphOptions = {}): UpdateGraph {
  const clock = options.clock ?? systemClock;
  const limits: RequestLimits = {
    clock,
    timeoutMilliseconds: options.timeoutMilliseconds ?? 30_000,
    maximumBytes: options.maximumBytes ?? 32 * 1024 * 1024,
  };
  const ask = remembered(clock, options.maximumAgeMilliseconds ?? 120_000, (url) =>
    requested(options.fetch ?? globalThis.fetch, new URL(url), limits),
  );
  return {
    fetch: async (query, news) => {
      const url = urlOf(query);
      return url === undefined
        ? failed("InvalidRequest", `${JSON.stringify(query.upstream)} is no URL of http or https`)
        : ask(url.href, news);
    },
    evaluate: options.evaluate ?? nobody,
  };
}

/** The URL of a query: its parameters follow those of the upstream's own. */
function urlOf({ upstream, architecture, channel, clusterID, version }: GraphQuery): URL | undefined {
  const url = URL.parse(upstream);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const asked = { arch: architecture, channel, id: clusterID, version };
  for (const [name, value] of Object.entries(asked)) url.searchParams.append(name, value);
  url.searchParams.sort();
  return url;
}

async function requested(fetch: Fetch, url: URL, limits: RequestLimits): Promise<GraphAnswer> {
  const headers = { accept: "application/json", "user-agent": "reveille" };
  const fetched = await boundedGet(fetch, url, headers, limits);
  if (fetched.state === "failed")
    return failed(fetched.at === "connection" ? "RemoteFailed" : "ResponseFailed", fetched.message);
  try {
    return { state: "answered", graph: JSON.parse(fetched.text) };
  } catch (error) {
    // Its message would tell how the answer begins.
    if (error instanceof SyntaxError) return failed("ResponseInvalid", "the answer is no JSON");
    throw error;
  }
}

const failed = (reason: (GraphAnswer & { state: "failed" })["reason"], message: string): GraphAnswer => ({
  state: "failed",
  reason,
  message,
});
