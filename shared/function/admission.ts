import type * as z from "zod";
import type { Kind, Obj, ShapeOf } from "../kube/kind.ts";
import { type Path, type Paths, pathRoot, segmentsByName } from "../kube/paths.ts";
import type {
  AdmissionDeclaration,
  Allowed,
  Change,
  DenialCode,
  Denied,
  Operation,
  Verdict,
  WebhookOptions,
} from "./admission-declaration.ts";
import type { Reader } from "./reader.ts";
import { DeclarationError } from "./system.ts";

/**
 * A question of the API server: may this be written? An object that is being created lacks what the server adds later: its uid is
 * empty, and its name too where the server makes one.
 */
export type Review<K extends Kind, Op extends Operation = Operation> = {
  create: { readonly operation: "create"; readonly object: Obj<K>; readonly old?: undefined };
  update: { readonly operation: "update"; readonly object: Obj<K>; readonly old: Obj<K> };
  delete: { readonly operation: "delete"; readonly object?: undefined; readonly old: Obj<K> };
}[Op] & {
  /** The user who asks, as the API server knows it. */
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** True: nothing will be stored. */
  readonly dryRun: boolean;
};

/** The second argument of `admit`: what a decision needs beside the review and what was read. */
export interface AdmissionContext<C> {
  readonly config: C;
  /** An id for that purpose: the same for the same request of the API server, another for the next. */
  uid(purpose: string): string;
}

/**
 * Lets a write through.
 * @param change made to it before it is stored
 * @param warnings shown to the user; kubectl prints them
 */
export const allow = <K extends Kind, Maps = unknown>(
  change?: Change<K, NoInfer<Maps>>,
  warnings: readonly string[] = [],
): Allowed<K, Maps> => ({ allowed: true, change, warnings });

/**
 * Refuses a write. The user reads the message as it is, behind the API server's `admission webhook "…" denied the request: `.
 * @param code default 403
 */
export const deny = (message: string, code: DenialCode = 403): Denied => ({ allowed: false, code, message });

/** The argument of an admission's `observe`: the review, reads of the declared kinds, and the configuration. */
export interface AdmissionScope<Names extends string, C> {
  readonly read: Reader<Names>;
  readonly config: C;
}

type NoSlots<R extends Kind> = R extends { readonly dynamic: true }
  ? { readonly "an admission reads kinds, no slots": R["id"] }
  : unknown;

/** The declaration of an admission, as `admission(name, Kind, operations).function({ … })` takes it. */
export interface AdmissionFields<
  K extends Kind,
  Op extends Operation,
  R extends Kind,
  C extends z.ZodType,
  World,
  Maps extends Readonly<Record<string, Path<unknown>>>,
> {
  /** The kinds that `observe` reads, its own among them where it reads others of it. */
  readonly reads?: readonly (R & NoSlots<R>)[];
  /**
   * The fate of a write while nobody answers. `allow` only where a function checks again what was let through. Default: `deny`.
   */
  readonly whenDown?: "deny" | "allow";
  /** The maps of users' own of which it may set and remove entries: `(it) => ({ parameters: it.spec.parameters })`. */
  readonly admits?: (it: Paths<ShapeOf<K>["body"]>) => Maps;
  readonly webhook?: WebhookOptions;
  readonly config?: C;
  /** Reads all that `admit` decides on, besides the review. It only reads; the API server waits for it. */
  readonly observe?: (scope: Review<K, Op> & AdmissionScope<R["id"], z.output<C>>) => Promise<World>;
  /** Decides: `allow` or `deny`. Pure: no clock, no random source, no I/O. */
  readonly admit: (
    world: Review<K, Op> & NoInfer<World>,
    context: AdmissionContext<z.output<C>>,
  ) => Verdict<K, MapsOf<Maps>>;
}
type MapsOf<Maps> = {
  readonly [Name in keyof Maps]: Maps[Name] extends Path<infer V> ? NonNullable<V> : never;
};

/** An admission as its author holds it. `decide` is its `admit`, typed, for tests of the decision alone. */
export interface BoundAdmission<
  K extends Kind = Kind,
  Op extends Operation = Operation,
  World = never,
  C = never,
  Maps = unknown,
> extends AdmissionDeclaration {
  /** The `admit` of the declaration, with its types. */
  readonly decide: (world: Review<K, Op> & World, context: AdmissionContext<C>) => Verdict<K, Maps>;
}

/**
 * Declares an admission: a question that the API server asks before it stores an object of a kind. It answers by `allow` or `deny`,
 * and may change what nobody but the engine decides: engine-owned paths, finalizers, labels, fields that are absent.
 *
 * @example A widget's value is bounded, and who sends none gets one
 * ```ts
 * import { admission, allow, defineSystem, deny } from "reveille";
 * import { Widget } from "./kinds.ts";
 *
 * export const bounded = admission("widget-bounds", Widget, ["create", "update"]).function({
 *   admit: ({ object }) =>
 *     object.spec.value > 1000
 *       ? deny(`spec.value is ${object.spec.value}: at most 1000 can be squared here`, 422)
 *       : allow({ labels: { size: object.spec.value > 100 ? "large" : "small" } }),
 * });
 *
 * export const system = defineSystem({ name: "widgets", functions: [], admissions: [bounded] });
 * ```
 */
export const admission = <K extends Kind, const Op extends Operation>(
  name: string,
  kind: K,
  operations: readonly Op[],
) => ({
  /** Gives the admission what it reads and how it decides. */
  function: <
    World = unknown,
    R extends Kind = never,
    C extends z.ZodType = z.ZodType<Record<never, never>>,
    Maps extends Readonly<Record<string, Path<unknown>>> = Record<never, never>,
  >(
    declaration: AdmissionFields<K, Op, R, C, World, Maps>,
  ): BoundAdmission<K, Op, World, z.output<C>, MapsOf<Maps>> => {
    const { reads, whenDown, admits, webhook, config, observe, admit, ...unknown } = declaration;
    const [stray] = Object.keys(unknown);
    if (stray !== undefined)
      throw new DeclarationError(
        "DECLARATION_FIELD",
        `${name}: an admission's declaration has no ${stray}. Take it out, or name what is meant (reads, whenDown, admits, webhook, config, observe, admit).`,
      );
    return {
      name,
      kind,
      operations,
      reads: reads ?? [],
      whenDown: whenDown ?? "deny",
      admits: segmentsByName(admits?.(pathRoot<ShapeOf<K>["body"]>())),
      webhook: webhook ?? {},
      config,
      observe,
      admit,
      decide: admit,
    };
  },
});
