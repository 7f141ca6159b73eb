import type { ApiRequest, ApiResponse } from "../resource-type.ts";
import { json } from "./answer.ts";

/**
 * The Kubernetes version whose behaviour the local API follows. `gitVersion` says that it is not the thing itself:
 * a version may carry build metadata after a plus.
 */
export const VERSION = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.0+reveille",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "local",
} as const;

/** `/version`. */
export function answerServerFacts(request: ApiRequest): ApiResponse | undefined {
  if (request.method !== "GET") return undefined;
  if (request.path === "/version" || request.path === "/version/") return json(VERSION);
  return undefined;
}
