import { Environment, type ParseResult } from "@marcbachmann/cel-js";
import { registerKubernetesLibrary } from "../cel/library.ts";
import { celValue } from "../cel/value.ts";
import type { Hook } from "./hooks.ts";

let environment: Environment | undefined;
const programs = new Map<string, ParseResult>();

function programOf(expression: string): ParseResult {
  if (environment === undefined) {
    environment = new Environment({
      unlistedVariablesAreDyn: false,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
    });
    for (const name of ["object", "oldObject", "request"]) environment.registerVariable(name, "dyn");
    registerKubernetesLibrary(environment);
  }
  const program = programs.get(expression) ?? environment.parse(expression);
  programs.set(expression, program);
  return program;
}

/**
 * True where all conditions of a webhook hold for a request. One that is false counts more than one that fails. Throws what the first
 * failing one throws.
 */
export function conditionsHold(
  { matchConditions }: Pick<Hook, "matchConditions">,
  request: Readonly<Record<string, unknown>>,
): boolean {
  if (matchConditions.length === 0) return true;
  const { object = null, oldObject = null, ...rest } = request;
  const context = {
    object: celValue(undefined, object),
    oldObject: celValue(undefined, oldObject),
    request: celValue(undefined, rest),
  };
  const failures: unknown[] = [];
  for (const { expression } of matchConditions) {
    try {
      if (programOf(expression)(context) !== true) return false;
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
  return true;
}
