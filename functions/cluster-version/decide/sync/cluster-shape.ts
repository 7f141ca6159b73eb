import { fieldsOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import type { Configuration } from "../../configuration.ts";
import type { ClusterShape } from "../payload/catalog.ts";

/** An object of the cluster's settings, as the server gives it. */
interface Settings {
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * The properties that decide which manifests belong to this cluster: profile, feature set and feature gates. The FeatureGate
 * `cluster` says the last two, the gates by version: those of the release that runs, or else the first that are listed. Where
 * there is no such object the configuration says it.
 */
export function shapeOf(
  config: Pick<Configuration, "profile" | "excludeIdentifier" | "featureSet" | "featureGates">,
  featureGate: Settings | undefined,
  version: string,
): ClusterShape {
  const { profile, excludeIdentifier, featureSet, featureGates } = config;
  if (featureGate === undefined) return { profile, excludeIdentifier, featureSet, featureGates };
  const listed = listOf(fieldsOf(featureGate.status).featureGates).map(fieldsOf);
  const gates = listed.find((entry) => entry.version === version) ?? listed[0];
  const enabled = listOf(gates?.enabled).map((gate) => textOf(fieldsOf(gate).name));
  return {
    profile,
    excludeIdentifier,
    featureSet: textOf(fieldsOf(featureGate.spec).featureSet),
    featureGates: enabled.filter((name) => name !== "").toSorted(),
  };
}

/** The proxy that workloads are to use, from the Proxy `cluster`. */
export function proxyOf(proxy: Settings | undefined) {
  const status = fieldsOf(proxy?.status);
  return {
    httpProxy: textOf(status.httpProxy),
    httpsProxy: textOf(status.httpsProxy),
    noProxy: textOf(status.noProxy),
  };
}
