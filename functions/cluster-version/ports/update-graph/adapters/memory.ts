import type { GraphAnswer, GraphQuery, QueryVerdict, UpdateGraph } from "../contract.ts";

/** An update graph that is told what to say: for tests, samples and clusters without a service. */
export interface MemoryUpdateGraph extends UpdateGraph {
  /** Sets the answer to every query from now on. */
  answer(answer: GraphAnswer): void;
  /** Sets the answer to a PromQL query from now on. */
  verdict(promql: string, verdict: QueryVerdict): void;
  /** The queries so far, oldest first. */
  readonly asked: readonly GraphQuery[];
}

/** Says `graph` until told otherwise; every PromQL query fails until told otherwise. */
export function memoryUpdateGraph(graph: unknown = { nodes: [], edges: [] }): MemoryUpdateGraph {
  let said: GraphAnswer = { state: "answered", graph };
  const verdicts = new Map<string, QueryVerdict>();
  const asked: GraphQuery[] = [];
  return {
    asked,
    answer: (answer) => {
      said = answer;
    },
    verdict: (promql, verdict) => {
      verdicts.set(promql, verdict);
    },
    fetch: async (query) => {
      asked.push(query);
      return structuredClone(said);
    },
    evaluate: async (promql) =>
      verdicts.get(promql) ?? { state: "failed", cause: `nobody said what ${promql} gives` },
  };
}
