import { parseVersion } from "../../../../shared/versions.ts";
import { isUrl } from "./go-url.ts";
import type { ClusterVersionView, Spec, Verdict } from "./types.ts";

/** Something in the spec that cannot be used. */
export interface SpecFault {
  /** The path in the object, for example `spec.desiredUpdate.version`. */
  readonly field: string;
  readonly code: "Required" | "Invalid";
  /** The value that stands there; absent where something is missing. */
  readonly value?: string;
  readonly message: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BARE = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i;
/** An id without braces, URN prefix and dashes: upstream reads all of these as the same. */
const plain = (id: string): string =>
  id
    .replace(/^urn:uuid:/i, "")
    .replace(/^\{(.*)\}$/, "$1")
    .replace(BARE, "$1-$2-$3-$4-$5");

/** The fault of an id, in words; undefined where it is an RFC 4122 UUID of version 4. */
export function clusterIDFault(id: string): string | undefined {
  const uuid = plain(id);
  if (!UUID.test(uuid) || !/[89ab]/i.test(uuid.charAt(19))) return "must be an RFC4122-variant UUID";
  return uuid.charAt(14) === "4" ? undefined : "must be a version-4 UUID";
}

/** Everything that cannot be used, in upstream's order. Nothing here depends on the time or on the payload. */
export function faultsOf(clusterVersion: ClusterVersionView): readonly SpecFault[] {
  const { spec } = clusterVersion;
  return [...upstreamFaults(spec), ...clusterIDFaults(spec), ...updateFaults(clusterVersion)];
}

/** An empty one is no fault: it is only missing where the update service asks for it. */
function clusterIDFaults({ clusterID }: Spec): readonly SpecFault[] {
  const message = clusterID === "" ? undefined : clusterIDFault(clusterID);
  return message === undefined
    ? []
    : [{ field: "spec.clusterID", code: "Invalid", value: clusterID, message }];
}

function upstreamFaults({ upstream }: Spec): readonly SpecFault[] {
  if (upstream === undefined || upstream === "" || isUrl(upstream)) return [];
  return [
    { field: "spec.upstream", code: "Invalid", value: upstream, message: "must be a valid URL or empty" },
  ];
}

function updateFaults({ spec, status }: ClusterVersionView): readonly SpecFault[] {
  const { desiredUpdate } = spec;
  if (desiredUpdate === undefined) return [];
  const { version = "", image = "", architecture = "" } = desiredUpdate;
  const field = "spec.desiredUpdate.version";
  if (version === "" && image === "" && architecture === "")
    return [
      {
        field: "spec.desiredUpdate",
        code: "Required",
        message: "must specify architecture, version, or image",
      },
    ];
  if (version === "" && image === "")
    return [{ field, code: "Required", message: "Version must be set if Architecture is set" }];
  if (image !== "" && architecture !== "")
    return [
      {
        field: "spec.desiredUpdate.architecture",
        code: "Invalid",
        value: architecture,
        message: "cannot set both Architecture and Image",
      },
    ];
  const invalid = (message: string): readonly SpecFault[] => [
    { field, code: "Invalid", value: version, message },
  ];
  if (version !== "" && parseVersion(version) === undefined)
    return invalid("must be a semantic version (1.2.3[-...])");
  if (image !== "") return [];
  const listed = (status?.availableUpdates ?? []).filter(
    (release) => release.version === version && release.image !== "",
  );
  if (listed.length > 1)
    return invalid("there are multiple possible payloads for this version, specify the exact image");
  const known =
    listed.length === 1 ||
    status?.desired?.version === version ||
    (status?.history ?? []).some((entry) => entry.version === version && entry.image !== "");
  return known ? [] : invalid("when image is empty the update must be an available update");
}

/** A fault as Kubernetes writes it: `spec.clusterID: Invalid value: "x": must be …`. */
export const faultText = ({ field, code, value, message }: SpecFault): string =>
  code === "Required"
    ? `${field}: Required value: ${message}`
    : `${field}: Invalid value: ${JSON.stringify(value ?? "")}: ${message}`;

/** The condition Invalid; undefined where it is to go. */
export function invalidVerdict(faults: readonly SpecFault[]): Verdict | undefined {
  const texts = faults.map(faultText);
  if (texts.length === 0) return undefined;
  const list = texts.length === 1 ? ` ${texts[0]}` : `\n${texts.map((text) => `* ${text}\n`).join("")}`;
  return {
    status: "True",
    reason: "InvalidClusterVersion",
    message: `The cluster version is invalid:${list}`,
  };
}

/** The spec as it is acted on: fields at fault count as unset. A clusterID is required, so it becomes empty. */
export function usableSpec(spec: Spec, faults: readonly SpecFault[]): Spec {
  const bad = (prefix: string): boolean => faults.some(({ field }) => field.startsWith(prefix));
  return {
    ...spec,
    ...(bad("spec.clusterID") && { clusterID: "" }),
    ...(bad("spec.upstream") && { upstream: undefined }),
    ...(bad("spec.desiredUpdate") && { desiredUpdate: undefined }),
  };
}
