/** The part of an update graph that is asked for. */
export interface GraphQuery {
  /** URL of the update service. */
  readonly upstream: string;
  /** The architecture as the service writes it: `amd64`, `multi`. */
  readonly architecture: string;
  readonly channel: string;
  readonly clusterID: string;
  /** The version that the cluster runs. */
  readonly version: string;
}

/** The reason why there is no graph, in the words of the condition RetrievedUpdates. */
export type GraphFailure = "InvalidRequest" | "RemoteFailed" | "ResponseFailed" | "ResponseInvalid";

/** The answer of an update service: JSON of any shape, or the reason why there is none. */
export type GraphAnswer =
  | { readonly state: "answered"; readonly graph: unknown }
  | { readonly state: "failed"; readonly reason: GraphFailure; readonly message: string };

/** The answer of a query: does a risk apply to this cluster? `failed` where it cannot be told. */
export type QueryVerdict =
  | { readonly state: "match" }
  | { readonly state: "no match" }
  | { readonly state: "failed"; readonly cause: string };

/**
 * A list of updates, and a judge of whether a risk of one applies to a cluster. Never throws for a fault of an outside service:
 * the answer tells it.
 */
export interface UpdateGraph {
  /**
   * Asks an update service. The same query may be answered from memory for a while, but not where `news` names other news than
   * the memory stems from: then the service is asked.
   */
  fetch(query: GraphQuery, news?: string): Promise<GraphAnswer>;
  /** Answers a PromQL query that gives 1 where the risk applies and 0 where not. */
  evaluate(promql: string): Promise<QueryVerdict>;
}
