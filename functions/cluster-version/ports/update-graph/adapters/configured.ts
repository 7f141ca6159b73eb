import { readFile } from "node:fs/promises";
import type { UpdateGraph } from "../contract.ts";
import { httpUpdateGraph } from "./http.ts";
import { prometheusQueries } from "./prometheus.ts";

/** The real adapter as a configuration asks for it. An empty text stands for nothing. */
export function configuredUpdateGraph({
  prometheus,
}: {
  readonly prometheus: { readonly url: string; readonly tokenFile: string };
}): UpdateGraph {
  if (prometheus.url === "") return httpUpdateGraph();
  const { url, tokenFile } = prometheus;
  // Read at each request: whoever issues the token renews the file.
  const token = async (): Promise<string> => (await readFile(tokenFile, "utf8")).trim();
  return httpUpdateGraph({ evaluate: prometheusQueries({ url, ...(tokenFile !== "" && { token }) }) });
}
