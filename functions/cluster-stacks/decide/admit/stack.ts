import type { ClusterStackSpec } from "../../kinds/index.ts";
import { dottedText, dottedVersion } from "../names/index.ts";
import { templateOf } from "../stack/index.ts";

const IMMUTABLE = ["provider", "name", "kubernetesVersion", "channel"] as const;

/** The faults of a stack that is created, or changed from another: all of them, each a sentence with its field. */
export function stackFaults(
  spec: ClusterStackSpec | undefined,
  namespace: string,
  old: ClusterStackSpec | undefined,
): readonly string[] {
  if (spec === undefined) return [];
  const changed =
    old === undefined
      ? []
      : IMMUTABLE.filter((field) => spec[field] !== old[field]).map(
          (field) => `spec.${field}: field is immutable`,
        );
  const dashed = (["provider", "name"] as const)
    .filter((field) => spec[field].includes("-"))
    .map(
      (field) =>
        `spec.${field}: ${spec[field]} has a dash, which names of releases cannot tell from their own`,
    );
  const template = templateOf(spec, namespace);
  return [...changed, ...dashed, ...versionFaults(spec), ...(typeof template === "string" ? [template] : [])];
}

function versionFaults({ versions = [], channel }: ClusterStackSpec): readonly string[] {
  const seen = new Set<string>();
  return versions.flatMap((text) => {
    const version = dottedVersion(text);
    if (version === undefined) return [`spec.versions: ${text} is no version: v1, or v1-label.patch`];
    const same = dottedText(version);
    if (seen.has(same)) return [`spec.versions: ${text} is there twice`];
    seen.add(same);
    if ((version.custom !== undefined) !== (channel === "custom"))
      return [`spec.versions: ${text} is not of the channel ${channel}`];
    return [];
  });
}
