import { isRecord } from "../../../../../../shared/json/fields.ts";
import { matchesConstraint } from "../../../../../../shared/templates/functions/semver.ts";
import type { Data } from "../../../../../../shared/templates/index.ts";
import {
  bytesOf,
  Dict,
  FunctionFault,
  List,
  toValue,
  type Value,
} from "../../../../../../shared/templates/index.ts";
import type { Chart } from "../chart/chart.ts";
import type { Dependency, Metadata } from "../chart/metadata.ts";
import { coalesce, copiedDict, tables, type Valued } from "./coalesce.ts";

/** A chart as it is rendered: under the name of its alias, with the subcharts that take part. */
export interface Part extends Valued {
  readonly chart: Chart;
  /** With the alias as name, and the dependencies that take part. */
  readonly metadata: Metadata;
  readonly subcharts: readonly Part[];
}

/** True where a version satisfies a constraint; false also where one of the two is none. */
export function inRange(constraint: string, version: string): boolean {
  try {
    return matchesConstraint(constraint, version);
  } catch (error) {
    if (error instanceof FunctionFault) return false;
    throw error;
  }
}

const partOf = (chart: Chart, name = chart.metadata.name): Part => ({
  chart,
  name,
  metadata: { ...chart.metadata, name },
  values: toValue(chart.values as Data) as Dict,
  subcharts: chart.subcharts.map((subchart) => partOf(subchart)),
});

/** The value at a path with dots; undefined where there is none. */
function at(values: Value, path: string): Value {
  let value = values;
  for (const key of path.split(".")) {
    if (!(value instanceof Dict)) return undefined;
    value = value.entries.get(bytesOf(key));
  }
  return value;
}

/** A subchart that nobody names takes part, and each that a dependency names, once for every name that it is given. */
function declared({ metadata, subcharts }: Part): readonly Part[] {
  const isFor = ({ name, version }: Dependency, part: Part): boolean =>
    part.name === name && inRange(version, part.chart.metadata.version);
  const unnamed = subcharts.filter(
    (part) => !metadata.dependencies.some((dependency) => isFor(dependency, part)),
  );
  const named = metadata.dependencies.flatMap((dependency) => {
    const found = subcharts.find((part) => isFor(dependency, part));
    return found === undefined ? [] : [partOf(found.chart, dependency.alias || found.name)];
  });
  return [...unnamed, ...named];
}

/** True where tags and conditions let a dependency take part; the first condition that is true or false decides. */
function isEnabled({ tags, condition }: Dependency, values: Dict, path: string): boolean {
  const set = values.entries.get("tags");
  const choices = tags.map((tag) => (set instanceof Dict ? set.entries.get(bytesOf(tag)) : undefined));
  const byTags = choices.includes(true) || !choices.includes(false);
  const decisive = condition
    .trim()
    .split(",")
    .filter((one) => one !== "")
    .map((one) => at(values, path + one))
    .find((value) => typeof value === "boolean");
  return typeof decisive === "boolean" ? decisive : byTags;
}

function withEnabled(part: Part, given: Dict, path: string): Part {
  if (!part.metadata.declaresDependencies) return part;
  const dependencies = part.metadata.dependencies.map((one) => ({ ...one, name: one.alias || one.name }));
  const all = { ...part, subcharts: declared(part) };
  const values = coalesce(all, given, false);
  const taken = dependencies.flatMap((one) =>
    isEnabled(one, values, path) ? [{ ...one, enabled: true }] : [],
  );
  const left = new Set(
    dependencies.filter(({ name }) => !taken.some((one) => one.name === name)).map(({ name }) => name),
  );
  const subcharts = all.subcharts
    .filter(({ name }) => !left.has(name))
    .map((subchart) => withEnabled(subchart, values, `${path}${subchart.name}.`));
  return { ...all, metadata: { ...part.metadata, dependencies: taken }, subcharts };
}

/** A map below a path with dots. */
const under = (path: string, table: Dict): Dict =>
  path === "."
    ? table
    : path.split(".").reduceRight<Dict>((inner, key) => new Dict([[bytesOf(key), inner]]), table);

/** A path in a subchart's values, and the path that they are imported to. */
interface Import {
  readonly child: string;
  readonly parent: string;
}

/** The imports of a dependency: names under `exports`, and pairs of paths. */
const importsOf = ({ importValues }: Dependency): readonly Import[] =>
  importValues.flatMap((one) => {
    if (typeof one === "string") return [{ child: `exports.${one}`, parent: "." }];
    return isRecord(one) ? [{ child: String(one.child), parent: String(one.parent) }] : [];
  });

/** Takes over what `import-values` names, from the lowest charts up. */
function withImports(part: Part): Part {
  const next = { ...part, subcharts: part.subcharts.map(withImports) };
  if (part.metadata.dependencies.length === 0) return next;
  const values = coalesce(next, new Dict(), true);
  const imported = new Dict();
  const dependencies = part.metadata.dependencies.map((one) => ({ ...one, importValues: importsOf(one) }));
  for (const { name, importValues } of dependencies)
    for (const { child, parent } of importValues) {
      const table = at(values, `${name}.${child}`);
      if (table instanceof Dict) tables(imported, under(parent, copiedDict(table)), true);
    }
  return { ...next, metadata: { ...part.metadata, dependencies }, values: tables(values, imported, true) };
}

/** The charts that take part, each with the values that it has by itself. @throws SubchartValuesFault */
export const partsOf = (chart: Chart, given: Dict): Part =>
  withImports(withEnabled(partOf(chart), given, ""));

/** The chart's description as templates see it. */
export function chartObject({ metadata }: Part, isRoot: boolean): Dict {
  const { apiVersion, appVersion, kubeVersion, ...rest } = metadata;
  const named: Record<string, Data> = {
    APIVersion: apiVersion,
    AppVersion: appVersion,
    KubeVersion: kubeVersion,
    Annotations: rest.annotations ?? new Dict([], "string", true),
    Condition: rest.condition,
    Dependencies: new List(rest.dependencies.map(dependencyObject)),
    Deprecated: rest.deprecated,
    Description: rest.description,
    Home: rest.home,
    Icon: rest.icon,
    IsRoot: isRoot,
    Keywords: new List(rest.keywords.map(bytesOf)),
    Maintainers: new List(
      rest.maintainers.map((one) => toValue({ Name: one.name, Email: one.email, URL: one.url }) ?? null),
    ),
    Name: rest.name,
    Sources: new List(rest.sources.map(bytesOf)),
    Tags: rest.tags,
    Type: rest.type,
    Version: rest.version,
  };
  return toValue(named) as Dict;
}

const dependencyObject = (one: Dependency): Value =>
  toValue({
    Name: one.name,
    Version: one.version,
    Repository: one.repository,
    Condition: one.condition,
    Tags: new List(one.tags.map(bytesOf), "string"),
    Enabled: one.enabled,
    ImportValues: one.importValues as Data,
    Alias: one.alias,
  }) ?? null;
