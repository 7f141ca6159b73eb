import type * as z from "zod";
import type { AtHome } from "../kube/clusters.ts";
import type { FactsOf, Kind, Obj, StatusOf } from "../kube/kind.ts";
import type {
  Context,
  Declaration,
  Ending,
  FunctionDeclaration,
  GroupEnding,
  KeyShape,
  OneEnding,
  Outcome,
  PartName,
  Readable,
} from "./declaration.ts";
import type { EventType } from "./event-type.ts";
import type { AnyPort } from "./port.ts";
import { DeclarationError } from "./system.ts";

/** The object of a key. It is there: a function is not run for one that is gone. */
export interface One<K extends Kind> {
  readonly self: Obj<K>;
}
/** The members of a group, oldest first. */
export interface Group<K extends Kind> {
  readonly members: readonly Obj<K>[];
  /** The value that they share: the namespace, the fact's value, or `*`. */
  readonly group: string;
}

/** A function as its author holds it. `decide` is its `reconcile`, typed, for tests of the decision alone. */
export interface BoundFunction<Subject = never, End extends Ending = Ending, World = never, C = never>
  extends FunctionDeclaration {
  /** The `reconcile` of the declaration, with its types. */
  readonly decide: (world: Subject & World, context: Context<C>) => Outcome<End, string>;
}

/** The key of a function: one object or a group. It comes first, so that everything inside the declaration knows its kind. */
export interface Key<K extends Kind, Subject, End extends Ending> extends KeyShape {
  /** Declares the function: its wakes, its reads and writes, `observe` and `reconcile`. */
  function<
    World = unknown,
    S extends string = never,
    R extends Readable = never,
    O extends Kind = never,
    W extends Readable = never,
    U extends EventType = never,
    C extends z.ZodType = z.ZodType<Record<never, never>>,
    P extends AnyPort = never,
  >(
    declaration: Declaration<K, Subject, End, S, R, O, W, U, C, World, P>,
  ): BoundFunction<Subject, End, World, z.output<C>>;
}

interface Parts<Part extends string> {
  /** The fields (`phase`) and conditions (`conditions.Ready`) of the status that are this function's own. Default: all. */
  readonly status?: readonly Part[];
}
type AnyPart<K extends Kind> = PartName<StatusOf<K>> | "*";

interface OneParts<K extends Kind, Part extends string> extends Parts<Part> {
  /**
   * The facts of its own object that it decides on: what else of the object changes does not wake it. `object` stands for all but the status,
   * and `status` for that. The generation, the parts of the status that are its own and a pause wake it anyway, and so does all that wakes it
   * besides. Default: the object and the status. For kinds that several functions have as their key.
   */
  readonly heeds?: readonly ((keyof FactsOf<K> & string) | "object" | "status")[];
}

function key<K extends Kind, Subject, End extends Ending>(
  by: KeyShape["by"],
  kind: K,
  options: (Parts<string> & { readonly heeds?: readonly string[] }) | undefined,
  fact?: string,
): Key<K, Subject, End> {
  const shape: KeyShape = { by, kind, fact, part: options?.status, heeds: options?.heeds };
  return {
    ...shape,
    function: (declaration) => {
      const {
        name,
        wakes,
        reads,
        owns,
        writes,
        verbs,
        emits,
        uses,
        config,
        net,
        parallel,
        executes,
        ...rest
      } = declaration;
      const { succeeds, adopts, paused, observe, reconcile, finalizer, failed, ...unknown } = rest;
      refuseUnknown(name, unknown);
      return {
        name,
        key: shape,
        wakes: wakes ?? [],
        reads: reads ?? [],
        owns: owns ?? [],
        writes: writes ?? [],
        verbs: { ...verbs },
        executes: typeof executes === "object" ? executes.why : executes,
        executesIn: typeof executes === "object" ? executes.podsOf.id : undefined,
        emits: emits ?? [],
        uses: uses ?? [],
        config,
        net,
        parallel,
        succeeds: succeeds ?? [],
        adopts: { ...adopts },
        paused,
        observe,
        reconcile,
        finalizer,
        failed,
        decide: reconcile,
      };
    },
  };
}

/** Functions run as they are written, types unchecked: what no declaration has would otherwise be dropped without a word. */
function refuseUnknown(name: string, unknown: Readonly<Record<string, unknown>>): void {
  const [first] = Object.keys(unknown);
  if (first === undefined) return;
  throw new DeclarationError(
    "DECLARATION_FIELD",
    `${name}: a function's declaration has no ${first}. Take it out, or name what is meant (wakes, reads, owns, writes, uses, emits …).`,
  );
}

type EachKey<K extends Kind, Part extends string> = Key<K, One<K>, OneEnding<K, Part>>;
type GroupKey<K extends Kind, Part extends string> = Key<K, Group<K>, GroupEnding<K, Part>>;

/**
 * Keys a function by one object: each object of the kind is decided by itself.
 *
 * @example
 * ```ts
 * import { each } from "reveille";
 * import { Widget } from "./kinds.ts";
 *
 * export const square = each(Widget).function({
 *   name: "square",
 *   reconcile: ({ self }) => ({
 *     status: {
 *       observedGeneration: self.metadata.generation,
 *       result: self.spec.value ** 2,
 *       conditions: [{ type: "Ready", status: "True", reason: "Squared" }],
 *     },
 *   }),
 * });
 * ```
 */
export const each = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K & AtHome<K>,
  options?: OneParts<K, Part>,
): EachKey<K, Part> => key<K, One<K>, OneEnding<K, Part>>("object", kind, options);
/**
 * Keys a function by all objects of a kind, decided as one.
 *
 * @example The oldest Factor wins; the others are told so
 * ```ts
 * import { all, patch } from "reveille";
 * import { Factor } from "./kinds.ts";
 *
 * export const elect = all(Factor).function({
 *   name: "elect",
 *   writes: [Factor],
 *   reconcile: ({ members: [, ...others] }) => ({
 *     effects: others.map((one) => patch(Factor, one, { labels: { elected: "false" } })),
 *   }),
 * });
 * ```
 */
export const all = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K & AtHome<K>,
  options?: Parts<Part>,
): GroupKey<K, Part> => key<K, Group<K>, GroupEnding<K, Part>>("all", kind, options);
/** Keys a function by a namespace: all objects of the kind in it, decided as one. */
export const allInNamespace = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K & AtHome<K>,
  options?: Parts<Part>,
): GroupKey<K, Part> => key<K, Group<K>, GroupEnding<K, Part>>("namespace", kind, options);
/** Keys a function by a fact: all objects of the kind that share its value, decided as one. */
export const allBy = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K & AtHome<K>,
  fact: keyof FactsOf<K> & string,
  options?: Parts<Part>,
): GroupKey<K, Part> => key<K, Group<K>, GroupEnding<K, Part>>("fact", kind, options, fact);
