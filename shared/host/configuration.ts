import type * as z from "zod";
import { ReveilleError } from "../errors.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import type { System } from "../function/system.ts";

/** A configuration that does not fit its schema; the message names the system and the path. */
export class ConfigurationError extends ReveilleError {}

/** Every function with its configuration, parsed once. */
export function configuredFunctions(
  systems: readonly System[],
  configuration: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<FunctionDeclaration, unknown> {
  const configured = new Map<FunctionDeclaration, unknown>();
  for (const system of systems) {
    const parsed = parse(
      system.config,
      configuration[system.name] ?? {},
      `the configuration of ${system.name}`,
    );
    for (const declaration of system.functions)
      configured.set(
        declaration,
        declaration.config === undefined
          ? {}
          : parse(declaration.config, parsed, `the configuration of ${declaration.name}`),
      );
  }
  return configured;
}

function parse(schema: z.ZodType, value: unknown, what: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join(".") || "(top)"}: ${message}`);
  throw new ConfigurationError("CONFIGURATION_INVALID", `In ${what}: ${issues.join("; ")}.`);
}
