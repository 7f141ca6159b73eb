import type { Parameter } from "../../kinds/index.ts";
import type { Definition } from "../definition/index.ts";

/** The values of parameters, as an Instance gives them. */
export type Values = Readonly<Record<string, string>>;

/** A parameter that has a name. */
export type Named = Parameter & { readonly name: string };

/** The parameters of a version by name, in its order; of two with one name the first counts. */
export function parametersOf({ spec }: Definition): ReadonlyMap<string, Named> {
  const named = new Map<string, Named>();
  for (const { name, ...parameter } of spec?.parameters ?? [])
    if (name !== undefined && !named.has(name)) named.set(name, { ...parameter, name });
  return named;
}

/** The value that an Instance gives, or undefined. */
export const valueIn = (values: Values | undefined, name: string): string | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/** The value that counts: the Instance's, else the default, else none. */
export const effectiveValue = (parameter: Named, values: Values | undefined): string =>
  valueIn(values, parameter.name) ?? parameter.default ?? "";

/** The values that count of all parameters of a version. */
export const effectiveValues = (
  definition: Definition,
  values: Values | undefined,
): ReadonlyMap<string, string> =>
  new Map(
    [...parametersOf(definition).values()].map((parameter) => [
      parameter.name,
      effectiveValue(parameter, values),
    ]),
  );
