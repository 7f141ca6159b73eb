import { parseVersion } from "../../../../../shared/versions.ts";
import type { GraphQuery } from "../../../ports/update-graph/index.ts";
import { isUrl } from "../go-url.ts";
import type { ClusterVersionView, Spec, Verdict } from "../types.ts";
import { clusterIDFault } from "../validation.ts";

/** The configured settings of updates. */
export interface UpdateSettings {
  /** The service that is asked where `spec.upstream` names none; empty: none. */
  readonly updateService: string;
  /** The architecture of the cluster's machines, as Go names it: `amd64`. */
  readonly architecture: string;
}

/** The question to the update service, or the reason why nothing can be asked. */
export type Question =
  | {
      readonly state: "ask";
      readonly query: GraphQuery;
      /** The cluster is to move from one architecture to several: only its own version can be offered. */
      readonly migrates: boolean;
    }
  | { readonly state: "cannot ask"; readonly verdict: Verdict };

/** The question of a ClusterVersion, its refusals in upstream's order of reasons (4.11). */
export function questionOf({ spec, status }: ClusterVersionView, settings: UpdateSettings): Question {
  const upstream = spec.upstream || settings.updateService;
  const current = status?.desired;
  const here = current?.architecture === "Multi" ? "Multi" : settings.architecture;
  const architecture = spec.desiredUpdate?.architecture || here;
  const version = current?.version ?? "";
  const fault = faultOf({ spec, upstream, architecture, version });
  if (fault !== undefined)
    return { state: "cannot ask", verdict: { status: "False", reason: fault[0], message: fault[1] } };
  return {
    state: "ask",
    query: {
      upstream,
      architecture: architecture === "Multi" ? "multi" : architecture,
      channel: spec.channel ?? "",
      clusterID: spec.clusterID,
      version,
    },
    migrates: architecture === "Multi" && here !== "Multi",
  };
}

function faultOf(asked: {
  readonly spec: Spec;
  readonly upstream: string;
  readonly architecture: string;
  readonly version: string;
}): readonly [reason: string, message: string] | undefined {
  const { spec, upstream, architecture, version } = asked;
  if (upstream === "") return ["NoUpstream", "No updateService server has been set to retrieve updates."];
  if (!isUrl(upstream))
    return ["InvalidURI", `failed to parse update service URL: ${JSON.stringify(upstream)} is no URL`];
  const id = clusterIDFault(spec.clusterID);
  if (id !== undefined) return ["InvalidID", `invalid cluster ID: ${id}`];
  if (architecture === "") return ["NoArchitecture", "Architecture has not been configured."];
  if (version === "")
    return [
      "NoCurrentVersion",
      "The cluster version does not have a semantic version assigned and cannot calculate valid upgrades.",
    ];
  if ((spec.channel ?? "") === "") return ["NoChannel", "The update channel has not been configured."];
  if (parseVersion(version) === undefined)
    return [
      "InvalidCurrentVersion",
      "The current cluster version is not a valid semantic version and cannot be used to calculate upgrades.",
    ];
  return undefined;
}

/** Names what lists stem from: of anything else they say nothing. */
export const fingerprintOf = ({ upstream, architecture, channel, version }: GraphQuery): string =>
  [version, architecture, channel, upstream].map(encodeURIComponent).join(" ");
