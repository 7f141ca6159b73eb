import { fieldsOf, isRecord, listOf } from "../../../../../../shared/json/fields.ts";
import { ChartError } from "../../errors.ts";

/** One entry under `dependencies`. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly alias: string;
  readonly enabled: boolean;
  /** Names under `exports` of the subchart, and pairs of paths. */
  readonly importValues: readonly unknown[];
}

/** The parts of Chart.yaml, each empty where it is not said. */
export interface Metadata {
  readonly apiVersion: string;
  readonly name: string;
  readonly version: string;
  readonly kubeVersion: string;
  readonly type: string;
  readonly description: string;
  readonly home: string;
  readonly icon: string;
  readonly appVersion: string;
  readonly condition: string;
  readonly tags: string;
  readonly deprecated: boolean;
  readonly sources: readonly string[];
  readonly keywords: readonly string[];
  /** Undefined where there are none: templates tell that from a map that is empty. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
  readonly maintainers: readonly { readonly name: string; readonly email: string; readonly url: string }[];
  readonly dependencies: readonly Dependency[];
  /** True also for an empty list, with which helm looks at values that it else does not. */
  readonly declaresDependencies: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Text where Chart.yaml has text, a number or a word of YAML. */
const text = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
const texts = (value: unknown): readonly string[] => listOf(value).map(text);

function dependencyOf(value: unknown): Dependency {
  const fields = fieldsOf(value);
  return {
    name: text(fields.name),
    version: text(fields.version),
    repository: text(fields.repository),
    condition: text(fields.condition),
    tags: texts(fields.tags),
    alias: text(fields.alias),
    enabled: fields.enabled === true,
    importValues: listOf(fields["import-values"]),
  };
}

const VERSION = /^v?\d+(\.\d+)?(\.\d+)?(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const ALIAS = /^[a-zA-Z0-9_-]+$/;

/** Reads Chart.yaml, and the dependencies of requirements.yaml, where charts of the first API version have them. @throws ChartError */
export function metadataOf(chart: Fields, requirements: Fields | undefined): Metadata {
  const apiVersion = text(chart.apiVersion) || "v1";
  const declared = requirements?.dependencies ?? chart.dependencies;
  const dependencies = listOf(declared).map(dependencyOf);
  const metadata: Metadata = {
    apiVersion,
    name: text(chart.name),
    version: text(chart.version),
    kubeVersion: text(chart.kubeVersion),
    type: text(chart.type),
    description: text(chart.description),
    home: text(chart.home),
    icon: text(chart.icon),
    appVersion: text(chart.appVersion),
    condition: text(chart.condition),
    tags: text(chart.tags),
    deprecated: chart.deprecated === true,
    sources: texts(chart.sources),
    keywords: texts(chart.keywords),
    annotations: isRecord(chart.annotations)
      ? Object.fromEntries(Object.entries(chart.annotations).map(([key, value]) => [key, text(value)]))
      : undefined,
    maintainers: listOf(chart.maintainers)
      .filter(isRecord)
      .map(({ name, email, url }) => ({ name: text(name), email: text(email), url: text(url) })),
    dependencies,
    declaresDependencies: Array.isArray(declared),
  };
  const fault = faultOf(metadata);
  if (fault !== undefined)
    throw new ChartError("CHART_UNREADABLE", `Chart.yaml: ${fault}`, { file: "Chart.yaml" });
  return metadata;
}

function faultOf({ name, version, type, dependencies }: Metadata): string | undefined {
  if (name === "") return "it has no name";
  if (/[/\\]/.test(name) || name === "." || name === "..")
    return `the name ${JSON.stringify(name)} is no name`;
  if (version === "") return "it has no version";
  if (!VERSION.test(version)) return `the version ${JSON.stringify(version)} is no semantic version`;
  if (!["", "application", "library"].includes(type)) return "its type is neither application nor library";
  const seen = new Set<string>();
  for (const { name: needed, alias } of dependencies) {
    if (alias !== "" && !ALIAS.test(alias)) return `the alias ${JSON.stringify(alias)} is no name`;
    const key = alias || needed;
    if (seen.has(key)) return `two dependencies have the name or alias ${JSON.stringify(key)}`;
    seen.add(key);
  }
  return undefined;
}
