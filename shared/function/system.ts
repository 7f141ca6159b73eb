import * as z from "zod";
import { ReveilleError } from "../errors.ts";
import { type Path, type Paths, pathRoot, type Segments, segmentsByName } from "../kube/paths.ts";
import { type AdmissionDeclaration, webhookName } from "./admission-declaration.ts";
import { COMMANDS } from "./commands.ts";
import type { FunctionDeclaration } from "./declaration.ts";
import type { BoundPort } from "./port.ts";

/** The kinds, functions and configuration of one operator. */
export interface System {
  readonly name: string;
  readonly description: string;
  readonly functions: readonly FunctionDeclaration[];
  /** The questions of the API server that it answers before objects are stored. */
  readonly admissions: readonly AdmissionDeclaration[];
  /** The configuration's schema; read from a file or the environment. */
  readonly config: z.ZodType;
  /** The operators that this system succeeds: one still runs where a Deployment or StatefulSet carries its labels. */
  readonly predecessors: readonly Predecessor[];
  /**
   * The reason why, on a cluster that is not Reveille's own, the system runs only where it is named; undefined where it runs
   * anyway. For a system that would take over a cluster that never asked for it, or needs rights over everything.
   */
  readonly onlyWhenNamed: string | undefined;
  /**
   * The path in the configuration that lists the resources which a slot admits, for each slot. Plain data: roles follow from it
   * too.
   */
  readonly admits: Readonly<Record<string, Segments>>;
  /** The adapters of its functions' ports, unless the engine is started with others. */
  readonly ports: (configuration: unknown) => readonly BoundPort[];
}
/** An operator that a system succeeds, and how to see that it still runs. */
export interface Predecessor {
  readonly name: string;
  /** The label selector of the Deployment or StatefulSet that runs it. */
  readonly labelSelector: string;
  /** The name of that workload, where the label is one that other operators carry too. */
  readonly workload?: string;
}

/** A declaration that contradicts itself or another. */
export class DeclarationError extends ReveilleError {}

/**
 * Binds functions to a system; refuses overlaps of status parts, names used twice, names that are no names, and slots where a kind
 * must be known.
 *
 * @example
 * ```ts
 * import { defineSystem, each } from "reveille";
 * import * as z from "zod";
 * import { Widget } from "./kinds.ts";
 *
 * const config = z.object({ greeting: z.string().default("hello") });
 *
 * const greet = each(Widget).function({
 *   name: "greet",
 *   config,
 *   reconcile: ({ self }, { config: { greeting } }) => ({
 *     status: {
 *       observedGeneration: self.metadata.generation,
 *       conditions: [{ type: "Ready", status: "True", reason: greeting }],
 *     },
 *   }),
 * });
 *
 * export const system = defineSystem({ name: "greetings", config, functions: [greet] });
 * ```
 */
export function defineSystem<C extends z.ZodType = z.ZodObject>(declaration: {
  readonly name: string;
  readonly description?: string;
  readonly config?: C;
  readonly functions: readonly FunctionDeclaration[];
  /** The questions of the API server that it answers before objects are stored. */
  readonly admissions?: readonly AdmissionDeclaration[];
  readonly predecessors?: readonly Predecessor[];
  /** The reason why it runs on somebody's cluster only where it is named. Absent: it runs unless others are named. */
  readonly onlyWhenNamed?: string;
  /**
   * The path in the configuration that lists what a slot (`defineDynamic`) admits, for each slot; named as kubectl names
   * resources: `deployments.apps`, `configmaps`, `*.apps` (a group), `*.` (the core group), `*` (all).
   */
  readonly admits?: (
    config: Paths<z.output<C>>,
  ) => Readonly<Record<string, Path<readonly string[]> | Path<readonly string[] | undefined>>>;
  /** The adapters of the ports that its functions use: made once, when a host starts. */
  readonly ports?: (config: z.output<C>) => readonly BoundPort[];
}): System {
  const { name, functions, admissions = [] } = declaration;
  for (const each of [name, ...[...functions, ...admissions].map((one) => one.name)]) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(each))
      throw new DeclarationError(
        "DECLARATION_NAME",
        `"${each}" is no name: use lower case letters, digits and dashes, at most 63.`,
      );
    if (each === COMMANDS)
      throw new DeclarationError(
        "DECLARATION_NAME",
        `"${COMMANDS}" is what carries out commands: choose another name.`,
      );
  }
  for (const [index, one] of functions.entries())
    for (const other of functions.slice(index + 1)) refuseOverlap(one, other);
  refuseAdmissions(name, functions, admissions);
  return {
    name,
    description: declaration.description ?? "",
    functions,
    admissions,
    config: declaration.config ?? z.object({}),
    predecessors: declaration.predecessors ?? [],
    onlyWhenNamed: declaration.onlyWhenNamed,
    admits: admitsOf(functions, segmentsByName(declaration.admits?.(pathRoot<z.output<C>>()))),
    ports: (configuration) => declaration.ports?.(configuration as z.output<C>) ?? [],
  };
}

/** Refuses admissions that the API server could not tell apart, or would not take. */
function refuseAdmissions(
  system: string,
  functions: readonly FunctionDeclaration[],
  admissions: readonly AdmissionDeclaration[],
): void {
  const names = new Set(functions.map(({ name }) => name));
  const webhooks = new Set<string>();
  for (const { name, kind, operations, reads, webhook } of admissions) {
    const refuse = (why: string): never => {
      throw new DeclarationError("DECLARATION_ADMISSION", `${name}: ${why}`);
    };
    if (names.has(name)) refuse("another function or admission has its name: give each one of its own.");
    names.add(name);
    if (operations.length === 0) refuse("it is asked about nothing: name create, update or delete.");
    const slot = [kind, ...reads].find(({ dynamic }) => dynamic);
    if (slot !== undefined) refuse(`${slot.id} is a slot: an admission is about a kind, and reads kinds.`);
    const called = webhookName(system, { name, webhook });
    if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}$/.test(called))
      refuse(`its webhook's name "${called}" is none: three parts or more with dots between, in lower case.`);
    const { path = "/admission" } = webhook;
    if (!/^(\/[A-Za-z0-9._-]+)+$/.test(path) || /^\/(events|triggers|functions)(\/|$)/.test(path))
      refuse(`its path "${path}" is none, or another's: write it as /validate-example-v1-widget.`);
    for (const taken of [called, ...(webhook.path === undefined ? [] : [path])]) {
      if (webhooks.has(taken)) refuse(`another admission of the system is called at ${taken}.`);
      webhooks.add(taken);
    }
  }
}

/** Refuses a slot where a kind must be known, a slot to which nothing is admitted, and a slot that no function has. */
function admitsOf(
  functions: readonly FunctionDeclaration[],
  admits: Readonly<Record<string, Segments>>,
): Readonly<Record<string, Segments>> {
  const slots = new Set<string>();
  for (const { name, key, owns, wakes, reads, writes } of functions) {
    const watched = [key.kind, ...owns, ...wakes.flatMap(({ kind }) => kind ?? [])];
    const slot = watched.find(({ dynamic }) => dynamic);
    if (slot !== undefined)
      throw new DeclarationError(
        "DECLARATION_SLOT",
        `${name} wakes on, owns or is keyed by the slot ${slot.id}, whose kinds nobody watches: name the kind that wakes it, and list the slot as unwatched(${slot.id}, "why") under reads or writes, or as awaited(${slot.id}, "why") where it waits for such objects.`,
      );
    for (const one of [...reads, ...writes]) {
      const kind = "unwatched" in one ? one.kind : one;
      if (!kind.dynamic) continue;
      slots.add(kind.id);
      if (admits[kind.id] === undefined)
        throw new DeclarationError(
          "DECLARATION_SLOT",
          `${name} uses the slot ${kind.id}, and nothing says which kinds it admits: add admits: (config) => ({ "${kind.id}": config.kinds }) to defineSystem.`,
        );
    }
  }
  const stray = Object.keys(admits).find((id) => !slots.has(id));
  if (stray !== undefined)
    throw new DeclarationError(
      "DECLARATION_SLOT",
      `"${stray}" is admitted to, but no function has a slot of that name under reads or writes: remove it from admits.`,
    );
  return admits;
}

function refuseOverlap(one: FunctionDeclaration, other: FunctionDeclaration): void {
  if (one.name === other.name)
    throw new DeclarationError(
      "DECLARATION_NAME",
      `Two functions are called ${one.name}: give each a name of its own, it is also their field manager's.`,
    );
  if (one.key.kind.id !== other.key.kind.id || one.key.kind.group !== other.key.kind.group) return;
  const both = overlap(one.key.part, other.key.part);
  if (both.length > 0)
    throw new DeclarationError(
      "DECLARATION_STATUS_OVERLAP",
      `${one.name} and ${other.name} both write the status of ${one.key.kind.id} (${both.join(", ")}): give each key its part of the status, each(Kind, { status: [...] }), or make one function of them.`,
    );
}

function overlap(
  mine: readonly string[] | undefined,
  theirs: readonly string[] | undefined,
): readonly string[] {
  if (mine?.length === 0 || theirs?.length === 0) return [];
  if (mine === undefined || theirs === undefined) return ["everything"];
  const covers = (part: string, by: string): boolean =>
    part === by || part.startsWith(`${by}.`) || by.startsWith(`${part}.`);
  return mine.filter((part) => theirs.some((other) => covers(part, other)));
}
