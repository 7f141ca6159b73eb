import * as z from "zod";
import { parseVersion } from "../../../../../shared/versions.ts";

const CHANNELS = "io.openshift.upgrades.graph.release.channels";
const ARCHITECTURE = "release.openshift.io/architecture";

const node = z.object({
  version: z.string().refine((text) => parseVersion(text) !== undefined, "is no semantic version"),
  payload: z.string().default(""),
  metadata: z.record(z.string(), z.string()).nullish(),
});
const text = z.string().nullish();
/** Loose: a risk that the API server would refuse drops its target, not the whole graph. */
const looseRisk = z.object({
  name: text,
  url: text,
  message: text,
  matchingRules: z.array(z.object({ type: text, promql: z.object({ promql: text }).nullish() })).nullish(),
});
const graph = z.object({
  nodes: z.array(node).nullish(),
  edges: z.array(z.tuple([z.int(), z.int()])).nullish(),
  conditionalEdges: z
    .array(
      z.object({
        edges: z.array(z.object({ from: z.string(), to: z.string() })).nullish(),
        risks: z.array(looseRisk).nullish(),
      }),
    )
    .nullish(),
});
export type Graph = z.output<typeof graph>;
export type LooseRisk = z.output<typeof looseRisk>;
type Node = z.output<typeof node>;

/** A graph as update services send it, or what is wrong with it. */
export function readGraph(said: unknown): Graph | { readonly fault: string } {
  const parsed = graph.safeParse(said);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // Names of its own are the answer's text, and are not told.
  const own = issue?.path.indexOf("metadata") ?? -1;
  const path = own < 0 ? issue?.path : issue?.path.slice(0, own + 1);
  return { fault: `${path?.join(".") || "the answer"}: ${issue?.message ?? "is no update graph"}` };
}

/** A node as the status lists it. */
export function releaseOf({ version, payload, metadata }: Node): {
  readonly version: string;
  readonly image: string;
  readonly url?: string;
  readonly channels?: readonly string[];
  readonly architecture?: "Multi";
} {
  const url = metadata?.url;
  const channels = metadata?.[CHANNELS];
  return {
    version,
    image: payload,
    ...(url !== undefined && url !== "" && { url }),
    // A set: the API server refuses one that names a channel twice.
    ...(channels !== undefined && { channels: [...new Set(channels.split(","))].toSorted() }),
    ...(metadata?.[ARCHITECTURE] === "multi" && { architecture: "Multi" as const }),
  };
}
