import type { Manifest } from "./payload.ts";

const FEATURE_SET = "release.openshift.io/feature-set";
const FEATURE_GATE = "release.openshift.io/feature-gate";
const MAJOR_VERSION = "release.openshift.io/major-version";
const CAPABILITY = "capability.openshift.io/name";

/**
 * The feature sets as an annotation spells them; a set that is not among them is of a newer release, and its manifests are left
 * out.
 */
const FEATURE_SETS: ReadonlySet<string> = new Set([
  "CustomNoUpgrade",
  "Default",
  "DevPreviewNoUpgrade",
  "OKD",
  "TechPreviewNoUpgrade",
]);

/** An entry of `spec.overrides`, as far as it counts here. */
export interface Override {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly unmanaged: boolean;
}

/** The manifests that a cluster wants. A member that is left out is not asked about. */
export interface Inclusion {
  /** Names the kind of this cluster in `exclude.release.openshift.io/<id>`. */
  readonly excludeIdentifier?: string;
  /** Empty for the default set. */
  readonly featureSet?: string;
  /** The gates that are on. */
  readonly featureGates?: ReadonlySet<string>;
  readonly majorVersion?: number;
  readonly profile?: string;
  readonly capabilities?: {
    readonly known: ReadonlySet<string>;
    readonly enabled: ReadonlySet<string>;
    /** True while payloads are compared: a name that only the newer one knows counts as disabled. */
    readonly allowUnknown?: boolean;
  };
  readonly overrides?: readonly Override[];
}

type Annotations = Readonly<Record<string, string>>;

/** None at all where one of them is no text: so the API library reads them. (What has no value was made an empty text before.) */
function annotationsOf({ object }: Manifest): Annotations | undefined {
  const annotations: unknown = object.metadata.annotations;
  if (typeof annotations !== "object" || annotations === null || Array.isArray(annotations)) return undefined;
  return Object.values(annotations).every((value) => typeof value === "string")
    ? (annotations as Annotations)
    : undefined;
}

/** The capabilities that a manifest belongs to. */
export function capabilitiesOf(manifest: Manifest): readonly string[] {
  const names = annotationsOf(manifest)?.[CAPABILITY];
  return names === undefined || names === "" ? [] : names.split("+");
}

const entries = (list: string): string[] =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

function featureSetFault(featureSet: string, wanted: string | undefined): string | undefined {
  if (wanted === undefined) return undefined;
  const sets = wanted.split(",");
  const unknown = sets.find((set) => !FEATURE_SETS.has(set));
  if (unknown !== undefined)
    return `unrecognized value "${unknown}" in ${FEATURE_SET}=${wanted}; known values are: ${[...FEATURE_SETS].join(",")}`;
  const own = featureSet === "" ? "Default" : featureSet;
  return sets.includes(own) ? undefined : `"${own}" is required, and ${FEATURE_SET}=${wanted}`;
}

function featureGateFault(enabled: ReadonlySet<string>, wanted: string | undefined): string | undefined {
  for (const entry of entries(wanted ?? "")) {
    const gate = entry.replace(/^-/, "");
    if (entry !== gate && enabled.has(gate))
      return `feature gate ${gate} is enabled but manifest requires it to be disabled`;
    if (entry === gate && !enabled.has(gate)) return `feature gate ${gate} is required but not enabled`;
  }
  return undefined;
}

const bearsMajorVersion = ({ group, kind }: Manifest): boolean =>
  (group === "config.openshift.io" && kind === "FeatureGate") ||
  (group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition");

function majorVersionFault(
  major: number,
  manifest: Manifest,
  wanted: string | undefined,
): string | undefined {
  if (wanted === undefined) return undefined;
  if (!bearsMajorVersion(manifest))
    return "major version filtering is only supported for feature gates and custom resource definitions";
  const included = new Set<number>();
  const excluded = new Set<number>();
  for (const entry of entries(wanted)) {
    const [, minus, digits] = /^(-?)(\d+)$/.exec(entry) ?? [];
    if (digits === undefined) return `invalid major version "${entry}" in ${MAJOR_VERSION}=${wanted}`;
    (minus === "-" ? excluded : included).add(Number(digits));
  }
  const both = [...included].filter((one) => excluded.has(one));
  if (both.length > 0) return `inclusion and exclusion requirements overlap: ${both.join(", ")}`;
  if (excluded.has(major)) return `major version ${major} is excluded by ${MAJOR_VERSION}=${wanted}`;
  return included.size > 0 && !included.has(major)
    ? `major version ${major} does not match ${MAJOR_VERSION}=${wanted}`
    : undefined;
}

function profileFault(profile: string, annotations: Annotations): string | undefined {
  const annotation = `include.release.openshift.io/${profile}`;
  const value = annotations[annotation];
  if (value === "true") return undefined;
  return value === undefined ? `${annotation} unset` : `unrecognized value ${annotation}=${value}`;
}

function capabilityFault(
  manifest: Manifest,
  { known, enabled, allowUnknown = false }: NonNullable<Inclusion["capabilities"]>,
): string | undefined {
  const names = capabilitiesOf(manifest);
  const unknown = allowUnknown ? [] : names.filter((name) => !known.has(name));
  if (unknown.length > 0) return `unrecognized capability names: ${unknown.join(", ")}`;
  const disabled = names.filter((name) => !enabled.has(name));
  return disabled.length > 0 ? `disabled capabilities: ${disabled.join(", ")}` : undefined;
}

/** Group, not version; the namespace counts only where the manifest has one. */
const overrides = (override: Override, { group, kind, namespace, name }: Manifest): boolean =>
  override.group === group &&
  override.kind === kind &&
  override.name === name &&
  (namespace === "" || override.namespace === namespace);

/**
 * The reason why a manifest is left out, or undefined where it belongs to the cluster. The first reason wins. Loading asks for
 * everything but capabilities and overrides; gates, capabilities and overrides are asked for again before a manifest is applied,
 * since they change without a new payload.
 */
export function exclusionOf(manifest: Manifest, inclusion: Inclusion): string | undefined {
  const annotations = annotationsOf(manifest);
  if (annotations === undefined) return "no annotations";
  const { excludeIdentifier, featureSet, featureGates, majorVersion, profile, capabilities } = inclusion;
  const exclude = `exclude.release.openshift.io/${excludeIdentifier}`;
  if (excludeIdentifier !== undefined && annotations[exclude] === "true") return `${exclude}=true`;
  if (Object.hasOwn(annotations, FEATURE_SET) && Object.hasOwn(annotations, FEATURE_GATE))
    return "both feature set and feature gate annotations are present";
  return (
    (featureSet === undefined ? undefined : featureSetFault(featureSet, annotations[FEATURE_SET])) ??
    (featureGates === undefined ? undefined : featureGateFault(featureGates, annotations[FEATURE_GATE])) ??
    (majorVersion === undefined
      ? undefined
      : majorVersionFault(majorVersion, manifest, annotations[MAJOR_VERSION])) ??
    (profile === undefined ? undefined : profileFault(profile, annotations)) ??
    (capabilities === undefined ? undefined : capabilityFault(manifest, capabilities)) ??
    (inclusion.overrides?.some((one) => one.unmanaged && overrides(one, manifest)) ? "overridden" : undefined)
  );
}
