import { type Data, Dict, List, textMap } from "../../../../shared/templates/index.ts";
import type { ValueType } from "../../kinds/index.ts";
import type { Definition } from "../definition/index.ts";
import { effectiveValue, parametersOf, templateValue, type Values } from "../parameters/index.ts";

/** The step of a run that renders. */
export interface RenderPlace {
  readonly instance: string;
  readonly namespace: string;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
}

/** The operator's name: that of the object which its version refers to. */
export const operatorOf = ({ spec }: Definition): string => spec?.operator?.name ?? "";

/** A parameter's text as templates see it; undefined where it is no value of its type. */
export const parameterData = (type: ValueType | undefined, text: string): Data | undefined => {
  const read = templateValue(type, text);
  if (read === undefined) return undefined;
  // Go's nil list and map: empty, and no error to range over.
  if (read.value === null)
    return type === "array" ? new List([], undefined, true) : new Dict([], undefined, true);
  return read.value as Data;
};

/** The parameters as templates see them; as a text, the fault of one that is no value of its type. */
function parametersData(version: Definition, values: Values | undefined): Record<string, Data> | string {
  const data: Record<string, Data> = {};
  for (const parameter of parametersOf(version).values()) {
    const text = effectiveValue(parameter, values);
    const value = parameterData(parameter["value-type"], text);
    if (value === undefined)
      return `parameter ${parameter.name} is no ${parameter["value-type"]}: its text cannot be read`;
    data[parameter.name] = value;
  }
  return data;
}

/** The data of a template (section 4); as a text, why it cannot be rendered. */
export function contextOf(
  version: Definition,
  values: Values | undefined,
  place: RenderPlace,
  pipes: Readonly<Record<string, string>>,
): Data | string {
  const parameters = parametersData(version, values);
  if (typeof parameters === "string") return parameters;
  return {
    Name: place.instance,
    Namespace: place.namespace,
    OperatorName: operatorOf(version),
    OperatorVersion: version.spec?.version ?? "",
    AppVersion: version.spec?.appVersion ?? "",
    PlanName: place.plan,
    PhaseName: place.phase,
    StepName: place.step,
    Params: parameters,
    Pipes: textMap(pipes),
  };
}
