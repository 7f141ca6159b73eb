import type { SweepSource } from "../bus/item.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { keyOf } from "../function/key.ts";
import type { Selection } from "../function/wakes.ts";
import { labelSelectorOf } from "./label-selector.ts";
import { saidOf } from "./router.ts";

/** One list of dependants. */
export interface LookUp {
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** The states of a source as the wake's author sees them: payloads of an event, or what was said of an object. */
export function statesOf({ wakes }: FunctionDeclaration, source: SweepSource): readonly unknown[] {
  const { facts, ready, gone, subject } = source;
  if (wakes[source.wake]?.on === "event") return facts;
  return facts.map((_, index) => saidOf({ facts, ready, gone, subject }, index));
}

/** The lists that hold all dependants of a source, as narrow as its wake says; each once. */
export function lookUps(
  declaration: FunctionDeclaration,
  source: SweepSource,
  served: readonly string[] | undefined,
): readonly LookUp[] {
  const { kind } = declaration.key;
  const places = kind.scope === "Cluster" ? undefined : served;
  const found = selectionsOf(declaration, source).flatMap(({ namespace, name, labels }) =>
    placesOf(places, kind.scope === "Cluster" ? undefined : namespace).map((place) => ({
      namespace: place,
      fieldSelector: name === undefined ? undefined : `metadata.name=${name}`,
      labelSelector: labelSelectorOf(labels),
    })),
  );
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/** The keys that an event names by its payload; undefined where its dependants have to be listed. */
export function namedByEvent(
  declaration: FunctionDeclaration,
  source: SweepSource,
  cluster: string,
): readonly string[] | undefined {
  const { key, wakes } = declaration;
  const wake = wakes[source.wake];
  if (wake?.on !== "event" || wake.to !== "name" || key.by === "fact") return undefined;
  const nameOf = wake.name as ((payload: unknown) => Selection | undefined) | undefined;
  try {
    return source.facts.flatMap((payload) => {
      const { name, namespace } = nameOf?.(payload) ?? {};
      if (name === undefined) return [];
      const place = key.kind.scope === "Cluster" ? undefined : namespace;
      return keyOf(key, { cluster, name, namespace: place }, {}) ?? [];
    });
  } catch {
    // A name that cannot be computed may be anybody's.
    return undefined;
  }
}

function selectionsOf(declaration: FunctionDeclaration, source: SweepSource): readonly Selection[] {
  const wake = declaration.wakes[source.wake];
  const { namespace, name } = source.subject;
  const same: Selection = wake?.same === "namespace" ? { namespace } : wake?.same === "name" ? { name } : {};
  const where = wake?.where as ((said: unknown) => Selection | undefined) | undefined;
  if (where === undefined || source.incomplete) return [same];
  try {
    return statesOf(declaration, source).flatMap((said) => {
      const selection = where(said);
      return selection === undefined ? [] : { ...selection, ...same };
    });
  } catch {
    return [same];
  }
}

/** The namespaces in which dependants are looked up: only those that are served. */
const placesOf = (
  served: readonly string[] | undefined,
  only: string | undefined,
): readonly (string | undefined)[] =>
  only === undefined ? (served ?? [undefined]) : served === undefined || served.includes(only) ? [only] : [];
