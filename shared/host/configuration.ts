import type * as z from "zod";
import { ReveilleError } from "../errors.ts";
import type { SystemAdapters } from "../function/adapters.ts";
import type { AdmissionDeclaration } from "../function/admission-declaration.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { HookDeclaration } from "../function/hook-declaration.ts";
import type { BoundPort } from "../function/port.ts";
import { type Admitted, admittedBy } from "../function/slots.ts";
import type { System } from "../function/system.ts";
import { valueAt } from "../kube/paths.ts";
import { type Ports, portsOf } from "../runner/ports.ts";
import type { RunnerParts } from "../runner/runner-parts.ts";

/** A configuration that does not fit its schema; the message names the system and the path. */
export class ConfigurationError extends ReveilleError {}

/** A function's configuration: parsed settings, slots and ports. */
export interface ConfiguredFunction {
  /** Parsed. */
  readonly configuration: unknown;
  /** The resources that its slots admit. */
  readonly admitted: ReadonlyMap<string, Admitted>;
  readonly ports: Ports;
  /** The probes of its ports, by the port's id. */
  readonly probes: ReadonlyMap<string, () => Promise<string | undefined>>;
}

/**
 * Every function with its configuration, parsed once, and with the adapters of its ports: its system's, or those that are given here in
 * their stead.
 */
export function configuredFunctions(
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>> = {},
  ports: readonly BoundPort[] = [],
): ReadonlyMap<FunctionDeclaration, ConfiguredFunction> {
  const configured = new Map<FunctionDeclaration, ConfiguredFunction>();
  for (const system of systems) {
    const parsed = systemConfiguration(system, configuration);
    const bound = [...system.ports(parsed), ...ports];
    const shared = {
      admitted: admittedBy(system.admits, parsed),
      ports: portsOf(bound),
      probes: new Map(bound.flatMap(({ port, probe }) => (probe === undefined ? [] : [[port.id, probe]]))),
    };
    for (const declaration of system.functions)
      configured.set(declaration, {
        ...shared,
        configuration:
          declaration.config === undefined
            ? {}
            : parse(declaration.config, parsed, `the configuration of ${declaration.name}`),
      });
  }
  return configured;
}

/** An admission with its system and its configuration. */
export interface ConfiguredAdmission {
  readonly system: string;
  readonly admission: AdmissionDeclaration;
  /** Parsed. */
  readonly configuration: unknown;
}

/** Every admission with its configuration, parsed once. Throws a `ConfigurationError`. */
export const configuredAdmissions = (
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>> = {},
): readonly ConfiguredAdmission[] =>
  configuredOf(systems, configuration, ({ admissions }) => admissions).map(({ of, ...rest }) => ({
    ...rest,
    admission: of,
  }));

/** A hook with its system and its configuration. */
export interface ConfiguredHook {
  readonly system: string;
  readonly hook: HookDeclaration;
  /** Parsed. */
  readonly configuration: unknown;
}

/** Every hook with its configuration, parsed once. Throws a `ConfigurationError`. */
export const configuredHooks = (
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>> = {},
): readonly ConfiguredHook[] =>
  configuredOf(systems, configuration, ({ hooks }) => hooks).map(({ of, ...rest }) => ({
    ...rest,
    hook: of,
  }));

function configuredOf<D extends { readonly name: string; readonly config: z.ZodType | undefined }>(
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>>,
  declarationsOf: (system: System) => readonly D[],
): readonly { readonly system: string; readonly of: D; readonly configuration: unknown }[] {
  return systems.flatMap((system) => {
    const declarations = declarationsOf(system);
    if (declarations.length === 0) return [];
    const parsed = systemConfiguration(system, configuration);
    return declarations.map((of) => ({
      system: system.name,
      of,
      configuration:
        of.config === undefined ? {} : parse(of.config, parsed, `the configuration of ${of.name}`),
    }));
  });
}

/** A system with the real thing behind its ports. What its declaration binds itself takes the place of that. */
export const withAdapters = (system: System, adapters: SystemAdapters): System => ({
  ...system,
  ports: (configuration) => [...adapters(configuration), ...system.ports(configuration)],
});

/** The resources that a configuration admits to the slots of each function. Throws a `ConfigurationError`. */
export function admittedTo(
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>> = {},
): (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted> {
  const admitted = new Map<FunctionDeclaration, ReadonlyMap<string, Admitted>>();
  for (const system of systems) {
    // One without slots may have a configuration that must be given: it is not asked for.
    if (Object.keys(system.admits).length === 0) continue;
    const here = admittedBy(system.admits, systemConfiguration(system, configuration));
    for (const declaration of system.functions) admitted.set(declaration, here);
  }
  return (declaration) => admitted.get(declaration) ?? new Map();
}

/** The ids of other clusters that the configuration takes for the home itself. Throws a `ConfigurationError`. */
export function clustersAtHome(
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>> = {},
): ReadonlySet<string> {
  const here = systems.flatMap((system) => {
    const entries = Object.entries(system.clusters);
    if (entries.length === 0) return [];
    const parsed = systemConfiguration(system, configuration);
    return entries.flatMap(([id, path]) => (valueAt(parsed, path) === "local" ? [id] : []));
  });
  return new Set(here);
}

/** The configuration of a system, parsed: with its defaults. */
export const systemConfiguration = (
  system: System,
  configuration: Readonly<Record<string, unknown>> = {},
): unknown => parse(system.config, configuration[system.name] ?? {}, `the configuration of ${system.name}`);

function parse(schema: z.ZodType, value: unknown, what: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join(".") || "(top)"}: ${message}`);
  throw new ConfigurationError("CONFIGURATION_INVALID", `In ${what}: ${issues.join("; ")}.`);
}

/** The part of a runner's parts that follows from how its functions are configured. */
export const runsWith = (
  functions: ReadonlyMap<FunctionDeclaration, ConfiguredFunction>,
): Pick<RunnerParts, "configOf" | "portsOf" | "admitted"> => ({
  configOf: (declaration) => functions.get(declaration)?.configuration,
  portsOf: (declaration) => functions.get(declaration)?.ports,
  admitted: (declaration) => functions.get(declaration)?.admitted,
});
