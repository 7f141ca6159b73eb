import type * as z from "zod";
import type { EngineOf, Kind, ShapeOf } from "../kube/kind.ts";
import type { Segments } from "../kube/paths.ts";

/** An operation of the API server that an admission is asked about. */
export type Operation = "create" | "update" | "delete";

/** Some of the fields, at every depth. */
type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Name in keyof T]?: Part<T[Name]> }
    : T;
type EntriesOf<Maps> = {
  readonly [Name in keyof Maps]?: Maps[Name] extends Readonly<Record<string, infer Entry>>
    ? Readonly<Record<string, Entry | null>>
    : never;
};

/** The change that an admission makes to what it allows. It says what is wanted; the engine makes the JSON patch. */
export interface Change<K extends Kind, Maps = unknown> {
  /** The engine-owned fields by name; null takes one away. */
  readonly engine?: { readonly [Name in keyof EngineOf<K>]?: EngineOf<K>[Name] | null };
  /** Values for fields that are absent; what a user said stays. */
  readonly defaults?: Part<ShapeOf<K>["body"]>;
  /** Finalizers, added where they lack; an object that is being deleted gets none. */
  readonly finalizers?: readonly string[];
  /** Labels by name; null takes one away. */
  readonly labels?: Readonly<Record<string, string | null>>;
  /** Entries of the maps that the declaration names under `admits`; null takes one away. */
  readonly entries?: EntriesOf<Maps>;
}

/** The code of a denial, as HTTP knows it. */
export type DenialCode = 400 | 403 | 409 | 422 | 500;
/** An answer that lets the write through, changed or not. `allow` makes it. */
export interface Allowed<K extends Kind = Kind, Maps = unknown> {
  readonly allowed: true;
  readonly change: Change<K, Maps> | undefined;
  readonly warnings: readonly string[];
}
/** An answer that refuses the write. `deny` makes it. */
export interface Denied {
  readonly allowed: false;
  readonly code: DenialCode;
  readonly message: string;
}
/** The answer of an admission. */
export type Verdict<K extends Kind = Kind, Maps = unknown> = Allowed<K, Maps> | Denied;

/** The registration of an admission at the API server; an operator that is succeeded may have given it its names. */
export interface WebhookOptions {
  /** The name of the webhook configuration. Default: `reveille-<system>`. */
  readonly configuration?: string;
  /** The name of the webhook, at least three parts with dots; denials carry it. Default: `<admission>.<system>.reveille.dev`. */
  readonly name?: string;
  /** The path at which it is called. Default: `/admission/<admission>`. */
  readonly path?: string;
  /**
   * `Validating`: asked after all that change an object, about what will be stored; it changes nothing itself. Default: `Mutating`.
   */
  readonly type?: "Mutating" | "Validating";
}

/** An admission bound to its kind: what systems list and hosts answer by. */
export interface AdmissionDeclaration {
  readonly name: string;
  readonly kind: Kind;
  readonly operations: readonly Operation[];
  readonly reads: readonly Kind[];
  readonly whenDown: "deny" | "allow";
  /** The maps of which it may change entries, by name. */
  readonly admits: Readonly<Record<string, Segments>>;
  readonly webhook: WebhookOptions;
  readonly config: z.ZodType | undefined;
  /** Reads what `admit` decides on. */
  readonly observe: ((scope: never) => Promise<unknown>) | undefined;
  /** Decides, without I/O. */
  readonly admit: (world: never, context: never) => Verdict;
}

/** The name of an admission's webhook: denials carry it. */
export const webhookName = (
  system: string,
  { name, webhook }: Pick<AdmissionDeclaration, "name" | "webhook">,
): string => webhook.name ?? `${name}.${system}.reveille.dev`;
/** The name of the webhook configuration that an admission stands in. */
export const configurationName = (
  system: string,
  { webhook }: Pick<AdmissionDeclaration, "webhook">,
): string => webhook.configuration ?? `reveille-${system}`;
/** The path at which an admission is called. */
export const admissionPath = ({ name, webhook }: Pick<AdmissionDeclaration, "name" | "webhook">): string =>
  webhook.path ?? `/admission/${name}`;
