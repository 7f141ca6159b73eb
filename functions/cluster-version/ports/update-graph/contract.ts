/** Which part of an update graph is asked for. */
export interface GraphQuery {
  /** URL of the update service. */
  readonly upstream: string;
  /** As the service writes it: `amd64`, `multi`. */
  readonly architecture: string;
  readonly channel: string;
  readonly clusterID: string;
  /** What the cluster runs. */
  readonly version: string;
}

/** Why there is no graph, in the words of the condition RetrievedUpdates. */
export type GraphFailure = "InvalidRequest" | "RemoteFailed" | "ResponseFailed" | "ResponseInvalid";

/** What an update service said: JSON of any shape, or why not. */
export type GraphAnswer =
  | { readonly state: "answered"; readonly graph: unknown }
  | { readonly state: "failed"; readonly reason: GraphFailure; readonly message: string };

/** Whether a query says that a risk applies to this cluster; `failed` where it cannot be told. */
export type QueryVerdict =
  | { readonly state: "match" }
  | { readonly state: "no match" }
  | { readonly state: "failed"; readonly cause: string };

/**
 * Where updates are listed, and how a cluster is asked whether a risk of one applies to it. Never throws for what an outside service
 * does: it is told in the answer.
 */
export interface UpdateGraph {
  /**
   * What an update service says. The same query may be answered from memory for a while, but not where `news` names other news than
   * the memory stems from: then the service is asked.
   */
  fetch(query: GraphQuery, news?: string): Promise<GraphAnswer>;
  /** Answers a PromQL query that gives 1 where the risk applies and 0 where not. */
  evaluate(promql: string): Promise<QueryVerdict>;
}
