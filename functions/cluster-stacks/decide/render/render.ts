import { whereAdmitted } from "../../../../shared/function/known.ts";
import { fieldsOf, textOf } from "../../../../shared/json/fields.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import { identityKey, identityOfObject } from "../../../../shared/manifests/inventory.ts";
import { namespaceOf, type Scope } from "../../../../shared/manifests/objects.ts";
import type { Charts } from "../../ports/charts/index.ts";
import { type Mark, marked, type RenderedObject } from "../apply/index.ts";
import type { ChartFiles } from "../assets/index.ts";
import { printedObjects, type Rendering } from "./printed.ts";

/** The objects of a chart, or in words why there are none. */
export type Rendered = { readonly objects: readonly RenderedObject[] } | { readonly fault: string };

/** All that rendering a chart to objects needs. */
export interface RenderParts {
  readonly charts: Charts;
  readonly chart: ChartFiles;
  readonly request: Rendering;
  /** Names the chart to people. */
  readonly called: string;
  /** True: a chart that prints no object is in order. Default: it is not. */
  readonly mayBeEmpty?: boolean;
  readonly mark: Mark;
  /** The scope of a kind, where the server knows it now. */
  knows(what: {
    readonly apiVersion: string;
    readonly kind: string;
  }): Promise<{ readonly scope: "Namespaced" | "Cluster" } | undefined>;
}

/** Renders a chart to objects as they are applied: with our marks, each in its namespace. */
export async function renderedObjects(parts: RenderParts): Promise<Rendered> {
  const { charts, chart, request, called, mark, mayBeEmpty } = parts;
  const printed = await printedObjects(charts, chart, request, called, mayBeEmpty);
  if ("fault" in printed) return printed;
  const brought = scopesIn(printed.objects);
  const placed = printed.objects.map(async (object) => {
    const scope = brought.get(kindKey(object)) ?? (await scopeOf(object, parts));
    const applicable = marked(object, namespaceOf(object, scope, request.namespace), mark);
    return { object: applicable, resource: { ...identityOfObject(applicable) } };
  });
  return { objects: onceEach(await Promise.all(placed)) };
}

/** The objects, each once: the last one of an identity counts, as if they were applied one after the other. */
const onceEach = (objects: readonly RenderedObject[]): readonly RenderedObject[] => [
  ...new Map(objects.map((one) => [identityKey(one.resource), one])).values(),
];

const kindKey = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): string =>
  `${parseApiVersion(apiVersion).group}/${kind}`;

/** The scopes of the kinds whose definitions the chart brings: the server does not know them yet. */
const scopesIn = (objects: readonly KubeObject[]): ReadonlyMap<string, Scope> =>
  new Map(
    objects.flatMap((object): readonly (readonly [string, Scope])[] => {
      if (kindKey(object) !== "apiextensions.k8s.io/CustomResourceDefinition") return [];
      const { group, scope, names } = fieldsOf(fieldsOf(object).spec);
      const key = `${textOf(group)}/${textOf(fieldsOf(names).kind)}`;
      return [[key, scope === "Cluster" ? "Cluster" : "Namespaced"]];
    }),
  );

async function scopeOf({ apiVersion, kind }: KubeObject, { knows }: RenderParts): Promise<Scope> {
  const known = await whereAdmitted(() => knows({ apiVersion, kind }));
  return "refused" in known ? undefined : known.value?.scope;
}
