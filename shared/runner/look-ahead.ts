import { ReveilleError } from "../errors.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { Effect } from "../function/effects.ts";
import { subjectOf } from "../function/key.ts";
import { type Kind, resourceOf } from "../kube/kind.ts";
import { apiVersionOf, type KubeObject } from "../kube/object.ts";
import { type Clients, clientAt } from "./clients.ts";
import { clusterOf, ofKnownKind, type SlotsInEffects } from "./effect-place.ts";
import { labelSelectorOf } from "./label-selector.ts";
import type { Recorder } from "./recorder.ts";
import { missingFor, type Right } from "./rights.ts";

/** Fewer objects of one kind in one place are read one by one: a list has its price. */
const MANY = 8;
/** The objects that a list may show for each that is sought: others may bear the same labels. */
const FOR_EACH = 4;
/** The most that its pages may weigh together, see `weightOf`. */
const MOST_WEIGHT = 16 * 1024 * 1024;

/** An object before its apply, as a list showed it: undefined where that lacked it. */
export interface SeenAhead {
  readonly live: KubeObject | undefined;
  /** True where nobody looked: it is taken for absent, and the fence finds out. */
  readonly isGuess?: true;
}

interface Parts {
  readonly declaration: Pick<FunctionDeclaration, "name" | "emits" | "uses">;
  readonly rights: ReadonlyMap<string, Right>;
  readonly recorder: Pick<Recorder, "covers">;
  readonly slots: Pick<SlotsInEffects, "kindFor">;
  readonly clients: Clients;
  readonly signal: AbortSignal;
}

interface Sought {
  readonly effect: Effect;
  readonly kind: Kind;
  readonly cluster: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly selector: string | undefined;
}

/** The applies among effects that name labels; none where they are too few for a list. */
export function manyLabelled(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length < MANY) return [];
  const labelled = effects.filter(({ plan }) => plan.effect === "apply" && plan.labelled !== undefined);
  return labelled.length < MANY ? [] : labelled;
}

/**
 * Looks at the objects of many applies by one list for each kind and namespace, in place of a read each. What a list lacks may be there
 * without its labels: its apply is fenced, and finds out. Where a list fails nothing is known, and each apply reads by itself.
 */
export async function lookAhead(
  effects: readonly Effect[],
  parts: Parts,
): Promise<ReadonlyMap<Effect, SeenAhead>> {
  const seen = new Map<Effect, SeenAhead>();
  const sought = await Promise.all(effects.map((effect) => unlessRefused(() => soughtBy(effect, parts))));
  const places = Map.groupBy(
    sought.filter((one) => one !== undefined),
    ({ kind, cluster, namespace, selector }) =>
      JSON.stringify([apiVersionOf(kind), kind.kind, cluster, namespace, selector]),
  );
  await Promise.all(
    [...places.values()].map(async (some) => {
      if (some.length < MANY) return;
      const found = await unlessRefused(() => listed(some, parts));
      if (found === undefined) return;
      for (const { effect, name } of some) {
        const live = found.objects.get(name);
        if (live !== undefined || found.isWhole) seen.set(effect, { live });
      }
    }),
  );
  return seen;
}

/** A refusal here is one of the apply too, which says so in its own name. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ReveilleError) return undefined;
    throw error;
  }
}

/** The place of the object; undefined where its apply may not be, does not read it, or has no place for it. */
async function soughtBy(effect: Effect, parts: Parts): Promise<Sought | undefined> {
  const { plan } = effect;
  if (plan.effect !== "apply" || missingFor(plan, parts.declaration, parts.rights) !== undefined)
    return undefined;
  const cluster = clusterOf(plan, parts.declaration);
  const { kind } = await ofKnownKind(plan, cluster, parts.slots);
  const { name, namespace: said = plan.owner?.metadata.namespace } = plan.body.metadata;
  const namespace = kind.scope === "Cluster" ? undefined : said;
  if (kind.scope === "Namespaced" && namespace === undefined) return undefined;
  if (parts.recorder.covers(subjectOf(kind, { cluster, namespace, name }))) return undefined;
  return { effect, kind, cluster, namespace, name, selector: labelSelectorOf(plan.labelled) };
}

/** Lists until all pages came, or more than it is worth. */
async function listed(
  some: readonly Sought[],
  { clients, signal }: Parts,
): Promise<{ readonly objects: ReadonlyMap<string, KubeObject>; readonly isWhole: boolean } | undefined> {
  const [first] = some;
  if (first === undefined) return undefined;
  const { kind, cluster, namespace, selector } = first;
  const names = new Set(some.map(({ name }) => name));
  const objects = new Map<string, KubeObject>();
  let [count, weight] = [0, 0];
  const options = { namespace, labelSelector: selector, signal };
  for await (const page of clientAt(clients, kind, cluster).pages(resourceOf(kind), options)) {
    for (const item of page.items) if (names.has(item.metadata.name)) objects.set(item.metadata.name, item);
    count += page.items.length;
    weight += page.weight ?? 0;
    const isLast = page.metadata.continue === undefined;
    if (!isLast && (count > FOR_EACH * names.size || weight > MOST_WEIGHT))
      return { objects, isWhole: false };
  }
  return { objects, isWhole: true };
}
