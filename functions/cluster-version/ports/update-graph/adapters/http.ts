import { type Clock, systemClock } from "../../../../../shared/clock/clock.ts";
import type { Fetch, RequestLimits } from "../../../../../shared/requests/bounded-get.ts";
import { remembered } from "../../../../../shared/requests/remembered.ts";
import { revalidated } from "../../../../../shared/requests/revalidated.ts";
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

/** The graphs that are kept to be asked for by their ETag: a cluster asks for one or two. */
const MOST_GRAPHS = 4;

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
  const graphs = revalidated(options.fetch ?? globalThis.fetch, limits, MOST_GRAPHS, graphOf);
  const ask = remembered(
    clock,
    options.maximumAgeMilliseconds ?? 120_000,
    (url) => requested(graphs, new URL(url)),
    ({ notBefore }) => notBefore,
  );
  return {
    fetch: async (query, news) => {
      const url = urlOf(query);
      return url === undefined
        ? failed("InvalidRequest", `${JSON.stringify(query.upstream)} is no URL of http or https`)
        : (await ask(url.href, news)).answer;
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

/** An answer, and the time before which the service wants no further question. */
interface Asked {
  readonly answer: GraphAnswer;
  readonly notBefore?: number | undefined;
}

async function requested(graphs: ReturnType<typeof revalidated<GraphAnswer>>, url: URL): Promise<Asked> {
  const asked = await graphs(url, { accept: "application/json", "user-agent": "reveille" });
  if (asked.state === "answered") return { answer: asked.value };
  const { at, message, notBefore } = asked;
  return { answer: failed(at === "connection" ? "RemoteFailed" : "ResponseFailed", message), notBefore };
}

function graphOf({ text }: { readonly text: string }): GraphAnswer {
  try {
    return { state: "answered", graph: JSON.parse(text) };
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
