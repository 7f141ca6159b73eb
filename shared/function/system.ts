import * as z from "zod";
import { ReveilleError } from "../errors.ts";
import { type Path, type Paths, pathRoot, type Segments, segmentsByName } from "../kube/paths.ts";
import { type AdmissionDeclaration, admissionPath, webhookName } from "./admission-declaration.ts";
import { COMMANDS } from "./commands.ts";
import type { FunctionDeclaration } from "./declaration.ts";
import { ALWAYS_HEEDED } from "./heeded.ts";
import type { HookDeclaration } from "./hook-declaration.ts";
import type { BoundPort } from "./port.ts";
import type { BeatingTrigger, CertifiedTrigger } from "./trigger.ts";

/** The kinds, functions and configuration of one operator. */
export interface System {
  readonly name: string;
  readonly description: string;
  readonly functions: readonly FunctionDeclaration[];
  /** The questions of the API server that it answers before objects are stored. */
  readonly admissions: readonly AdmissionDeclaration[];
  /** The questions that other controllers ask over HTTP. */
  readonly hooks: readonly HookDeclaration[];
  /** The paths at which clients outside tell it something, proven by certificates. */
  readonly triggers: readonly (CertifiedTrigger | BeatingTrigger)[];
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
  /** The path in the configuration of what is `local` where these other clusters are the home itself, by their id. */
  readonly clusters: Readonly<Record<string, Segments>>;
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
  /** The questions that other controllers ask over HTTP. */
  readonly hooks?: readonly HookDeclaration[];
  /** The paths at which clients outside tell it something, proven by certificates. */
  readonly triggers?: readonly (CertifiedTrigger | BeatingTrigger)[];
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
  /**
   * The path in the configuration that says `local` where other clusters (`defineClusters`) are the home itself, and `secret` where each has
   * its own Secret, by their id. Absent: `secret`. A Secret that is missing never means the home.
   */
  readonly clusters?: (
    config: Paths<z.output<C>>,
  ) => Readonly<Record<string, Path<"local" | "secret"> | Path<"local" | "secret" | undefined>>>;
  /** The adapters of the ports that its functions use: made once, when a host starts. */
  readonly ports?: (config: z.output<C>) => readonly BoundPort[];
}): System {
  const { name, functions, admissions = [], hooks = [], triggers = [] } = declaration;
  for (const each of [name, ...[...functions, ...admissions, ...hooks, ...triggers].map((one) => one.name)]) {
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
  for (const one of functions) refuseUnheard(one);
  refuseAdmissions(name, functions, admissions);
  refuseHooks(functions, admissions, hooks);
  refuseTriggers(triggers);
  return {
    name,
    description: declaration.description ?? "",
    functions,
    admissions,
    hooks,
    triggers,
    config: declaration.config ?? z.object({}),
    predecessors: declaration.predecessors ?? [],
    onlyWhenNamed: declaration.onlyWhenNamed,
    admits: admitsOf(functions, segmentsByName(declaration.admits?.(pathRoot<z.output<C>>()))),
    clusters: segmentsByName(declaration.clusters?.(pathRoot<z.output<C>>())),
    ports: (configuration) => declaration.ports?.(configuration as z.output<C>) ?? [],
  };
}

/** Refuses a function that heeds what its kind does not tell. */
function refuseUnheard({
  name,
  key: { kind, heeds },
  finalizer,
}: Pick<FunctionDeclaration, "name" | "key" | "finalizer">): void {
  if (heeds === undefined) return;
  const refuse = (sentence: string): never => {
    throw new DeclarationError("DECLARATION_HEEDS", `${name} ${sentence}`);
  };
  const told = new Set(Object.values(kind.facts).map((path) => path.join("\n")));
  for (const path of ALWAYS_HEEDED)
    if (!heeds.includes("object") && !told.has(path.join("\n")))
      refuse(
        `says which facts of its ${kind.kind} it heeds, and ${path.join(".")} is none: add it to the facts of the kind, since its change wakes every function.`,
      );
  if (finalizer !== undefined && !heeds.includes("object"))
    refuse(
      `has a finalizer, which goes on and off with more of its ${kind.kind} than facts: add "object" to what it heeds.`,
    );
  const unknown = heeds.find((fact) => fact !== "object" && fact !== "status" && !(fact in kind.facts));
  if (unknown !== undefined)
    refuse(
      `heeds ${unknown}, which is no fact of ${kind.kind}: name one of ${Object.keys(kind.facts).join(", ")}.`,
    );
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
    const elsewhere = [kind, ...reads].find(({ clusters }) => clusters !== undefined);
    if (elsewhere !== undefined)
      refuse(`${elsewhere.id} lies in other clusters: an answer does not wait for these.`);
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

/** Refuses hooks that cannot be told apart from others of the system; what is wrong with one alone its own declaration refuses. */
function refuseHooks(
  functions: readonly FunctionDeclaration[],
  admissions: readonly AdmissionDeclaration[],
  hooks: readonly HookDeclaration[],
): void {
  const names = new Set([...functions, ...admissions].map(({ name }) => name));
  const paths = new Set(admissions.map(admissionPath));
  for (const { name, path } of hooks) {
    const refuse = (why: string): never => {
      throw new DeclarationError("DECLARATION_HOOK", `${name}: ${why}`);
    };
    if (names.has(name))
      refuse("another function, admission or hook has its name: give each one of its own.");
    if (paths.has(path)) refuse(`another admission or hook of the system is asked at ${path}.`);
    names.add(name);
    paths.add(path);
  }
}

/** Refuses triggers that cannot be told apart, or whose paths are none. */
function refuseTriggers(triggers: readonly (CertifiedTrigger | BeatingTrigger)[]): void {
  const taken = new Set<string>();
  for (const { name, path, maximumBody } of triggers) {
    const refuse = (why: string): never => {
      throw new DeclarationError("DECLARATION_TRIGGER", `${name}: ${why}`);
    };
    if (!/^(\/:?[A-Za-z0-9._-]+)+$/.test(path) || /^\/(events|triggers|functions)(\/|$)/.test(path))
      refuse(`its path "${path}" is none, or another's: write it as /v2/:tenant/event.`);
    if (!Number.isInteger(maximumBody) || maximumBody < 1)
      refuse(`a body of ${maximumBody} bytes at most takes nothing: give maximumBody from 1.`);
    for (const one of [name, path.replaceAll(/:[^/]+/g, ":")]) {
      if (taken.has(one)) refuse(`another trigger of the system has its name or its path: ${one}.`);
      taken.add(one);
    }
  }
}

/** Refuses kinds of other clusters and slots where a watched kind must be known, a slot to which nothing is admitted, and a slot that no function has. */
function admitsOf(
  functions: readonly FunctionDeclaration[],
  admits: Readonly<Record<string, Segments>>,
): Readonly<Record<string, Segments>> {
  const slots = new Set<string>();
  for (const { name, key, owns, wakes, reads, writes } of functions) {
    const watched = [key.kind, ...owns, ...wakes.flatMap(({ kind }) => kind ?? [])];
    const elsewhere = watched.find(({ clusters }) => clusters !== undefined);
    if (elsewhere !== undefined)
      throw new DeclarationError(
        "DECLARATION_CLUSTERS",
        `${name} wakes on, owns or is keyed by ${elsewhere.id}, which lies in other clusters, where nobody watches: list it as awaited(${elsewhere.kind}, "why") or unwatched(${elsewhere.kind}, "why") under reads or writes.`,
      );
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
