import { bytesOf, Dict, type Value } from "../../../../../../shared/templates/index.ts";
import type { Part } from "./dependencies.ts";
import { chartObject } from "./dependencies.ts";
import { FilesObject, ValuesObject } from "./objects.ts";

/** One file below `templates/`, and the data that it is rendered with. */
export interface ChartTemplate {
  /** The path with the charts around it: `web/charts/db/templates/service.yaml`. */
  readonly path: string;
  readonly basePath: string;
  readonly text: string;
  readonly data: Dict;
}

const decoder = new TextDecoder();

/** The data that templates of all charts have in common. */
export interface Surroundings {
  readonly release: Value;
  readonly capabilities: Value;
}

interface Scope extends Surroundings {
  readonly values: Value;
  readonly folder: string;
  readonly isRoot: boolean;
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
/** True for a file that only defines templates for others. */
export const isPartial = (path: string): boolean => baseOf(path).startsWith("_");

/** Collects by path: two charts of one name, in versions of which a dependency asks for one, take each other's place. */
function collect(part: Part, scope: Scope, found: Map<string, ChartTemplate>): Dict {
  const { release, capabilities, values, folder, isRoot } = scope;
  const own = values instanceof Dict ? values : new Dict();
  const subcharts = new Dict();
  const data = new ValuesObject([
    ["Chart", chartObject(part, isRoot)],
    ["Files", FilesObject.of(part.chart.files)],
    ["Release", release],
    ["Capabilities", capabilities],
    ["Values", new ValuesObject(own.entries)],
    ["Subcharts", subcharts],
  ]);
  for (const child of part.subcharts) {
    const name = bytesOf(child.name);
    const inner = {
      ...scope,
      values: own.entries.get(name),
      folder: `${folder}/charts/${child.name}`,
      isRoot: false,
    };
    subcharts.entries.set(name, collect(child, inner, found));
  }
  for (const [path, content] of part.chart.templates) {
    if (part.metadata.type === "library" && !isPartial(path)) continue;
    const whole = `${folder}/${path}`;
    found.set(whole, {
      path: whole,
      basePath: `${folder}/templates`,
      text: decoder.decode(content),
      data,
    });
  }
  return data;
}

const depthOf = (path: string): number => path.split("/").length;
/** The order of helm: the deepest first, so that what a chart defines takes the place of what its subcharts define. */
const order = (one: ChartTemplate, other: ChartTemplate): number =>
  depthOf(other.path) - depthOf(one.path) || (one.path < other.path ? 1 : -1);

/** All templates of a chart and its subcharts in the order in which helm reads and renders them. */
export function templatesOf(part: Part, values: Dict, surroundings: Surroundings): readonly ChartTemplate[] {
  const found = new Map<string, ChartTemplate>();
  collect(part, { ...surroundings, values, folder: part.name, isRoot: true }, found);
  return [...found.values()].sort(order);
}

/** The objects of `crds/`, of a chart and of its subcharts. */
export function crdsOf(
  part: Part,
  folder = part.name,
): readonly { readonly source: string; readonly text: string }[] {
  const own = [...part.chart.files]
    .filter(([path]) => path.startsWith("crds/") && /\.(ya?ml|json)$/i.test(path))
    .map(([path, content]) => ({ source: `${folder}/${path}`, text: decoder.decode(content) }));
  return [...own, ...part.subcharts.flatMap((child) => crdsOf(child, `${folder}/charts/${child.name}`))];
}
