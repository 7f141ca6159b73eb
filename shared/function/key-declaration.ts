import type * as z from "zod";
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

/** An object that is there. */
export interface One<K extends Kind> {
  readonly self: Obj<K>;
}
/** The members of a group, oldest first. */
export interface Group<K extends Kind> {
  readonly members: readonly Obj<K>[];
  /** What they share: the namespace, the fact's value, or `*`. */
  readonly group: string;
}

/** A function as its author holds it: `reconcile` is there for tests of the decision alone. */
export interface BoundFunction<Subject = never, End extends Ending = Ending, World = never, C = never>
  extends FunctionDeclaration {
  readonly decide: (world: Subject & World, context: Context<C>) => Outcome<End, string>;
}

/** What a piece of work is about. The key comes first, so that everything inside the declaration knows its kind. */
export interface Key<K extends Kind, Subject, End extends Ending> extends KeyShape {
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

function key<K extends Kind, Subject, End extends Ending>(
  by: KeyShape["by"],
  kind: K,
  options: Parts<string> | undefined,
  fact?: string,
): Key<K, Subject, End> {
  const shape: KeyShape = { by, kind, fact, part: options?.status };
  return {
    ...shape,
    function: (declaration) => {
      const { name, wakes, reads, owns, writes, verbs, emits, uses, config, net, parallel, ...rest } =
        declaration;
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

/** One object a key. */
export const each = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K,
  options?: Parts<Part>,
): EachKey<K, Part> => key("object", kind, options);
/** All objects of a kind, decided as one. */
export const all = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K,
  options?: Parts<Part>,
): GroupKey<K, Part> => key("all", kind, options);
/** All objects of a kind in one namespace, decided as one. */
export const allInNamespace = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K,
  options?: Parts<Part>,
): GroupKey<K, Part> => key("namespace", kind, options);
/** All objects of a kind that share a fact, decided as one. */
export const allBy = <K extends Kind, const Part extends AnyPart<K> = "*">(
  kind: K,
  fact: keyof FactsOf<K> & string,
  options?: Parts<Part>,
): GroupKey<K, Part> => key("fact", kind, options, fact);
