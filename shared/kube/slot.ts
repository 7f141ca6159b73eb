import * as z from "zod";
import type { Resource } from "./client.ts";
import type { Kind, KindClass, KindStatics, Slot } from "./kind.ts";

/** An object of a kind that only data names. */
export interface Unstructured {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** The place of an object of a slot, and its kind. */
export interface SlotPlace {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The namespace; absent for kinds without one. */
  readonly namespace?: string | undefined;
}

/** The class of a slot. */
export interface SlotClass<Id extends string>
  extends KindClass<
    Id,
    {
      scope: "Any";
      place: "home";
      external: false;
      body: Unstructured;
      input: Unstructured;
      status: unknown;
      facts: Record<never, never>;
      engine: Record<never, never>;
    }
  > {
  readonly dynamic: true;
}

/**
 * Declares a slot for kinds that only objects name: templates, charts, release payloads. The system's configuration decides which kinds
 * it admits (`admits` of `defineSystem`), so rights stay derived. Its objects carry their own apiVersion and kind.
 *
 * @example
 * ```ts
 * import { apply, defineDynamic, defineSystem, each, unwatched } from "reveille";
 * import * as z from "zod";
 * import { Widget } from "./kinds.ts";
 *
 * class Part extends defineDynamic("part") {}
 *
 * const assemble = each(Widget).function({
 *   name: "assemble",
 *   writes: [unwatched(Part, "applied anew at each change of the Widget")],
 *   reconcile: ({ self }) => ({
 *     effects: apply(Part, {
 *       apiVersion: "v1",
 *       kind: "ConfigMap",
 *       metadata: { name: self.metadata.name, namespace: self.metadata.namespace },
 *       data: { message: self.spec.message },
 *     }),
 *   }),
 * });
 *
 * export const system = defineSystem({
 *   name: "parts",
 *   functions: [assemble],
 *   config: z.object({ kinds: z.array(z.string()).default(["configmaps"]) }),
 *   admits: (config) => ({ part: config.kinds }),
 * });
 * ```
 */
export function defineDynamic<const Id extends string>(id: Id): SlotClass<Id> {
  const statics: KindStatics & { readonly id: Id } = {
    id,
    group: "",
    version: "",
    versions: [],
    kind: id,
    plural: id,
    singular: id,
    shortNames: [],
    categories: [],
    scope: "Any",
    place: "home",
    external: true,
    selector: undefined,
    description: "",
    columns: [],
    facts: {},
    ready: undefined,
    engineOwned: {},
    validations: [],
    fields: z.looseObject({}),
    status: undefined,
    dynamic: true,
  };
  // As for every kind, the class only names its type.
  return Object.assign(class {}, statics) as unknown as SlotClass<Id>;
}

/** A kind that a slot admits, as the server names it. Everything else it has from the slot. */
export const admittedKind = (slot: Slot, { group, version, kind, plural, scope }: Resource): Kind =>
  Object.assign(Object.create(slot) as object, {
    group,
    version,
    versions: [version] as readonly string[],
    kind,
    plural,
    singular: kind.toLowerCase(),
    scope,
  }) as Kind;
