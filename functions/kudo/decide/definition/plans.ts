import type { OperatorVersionSpec, Plan } from "../../kinds/index.ts";

/** The part of an OperatorVersion that is decided by. */
export interface Definition {
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly spec?: OperatorVersionSpec | undefined;
}

/** The plans that mean something by their name. */
export const DEPLOY = "deploy";
export const UPDATE = "update";
export const UPGRADE = "upgrade";
export const CLEANUP = "cleanup";

/** The plan of that name, or undefined. */
export function planNamed({ spec }: Definition, name: string): Plan | undefined {
  const plans = spec?.plans ?? {};
  return Object.hasOwn(plans, name) ? plans[name] : undefined;
}
export const hasPlan = (definition: Definition, name: string): boolean =>
  planNamed(definition, name) !== undefined;

/** The first of these plans that there is. */
export const firstPlan = (definition: Definition, ...names: readonly string[]): string | undefined =>
  names.find((name) => hasPlan(definition, name));

/** The plan that an upgrade runs. */
export const upgradePlan = (definition: Definition): string | undefined =>
  firstPlan(definition, UPGRADE, UPDATE, DEPLOY);

/** The plan that a changed parameter without a trigger of its own runs. */
export const updatePlan = (definition: Definition): string | undefined =>
  firstPlan(definition, UPDATE, DEPLOY);
