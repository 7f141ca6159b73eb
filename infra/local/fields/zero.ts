import type { KubeObject } from "../../../shared/kube/object.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import type { JsonObject } from "../json.ts";
import type { ResourceType } from "../resource-type.ts";

/** Fields that Go holds as plain structs: an object that is still empty has them already. The schema does not say which. */
const structs = new Set(
  "spec status metadata template jobTemplate strategy updateStrategy names acceptedNames source roleRef loadBalancer scaleTargetRef".split(
    " ",
  ),
);
/** The fields of Events that Go writes even where nothing is set. */
const nulls = new Set(["eventTime", "firstTimestamp", "lastTimestamp"]);
const blanks = new Set(["reportingComponent", "reportingInstance"]);

/**
 * The object that a new one is compared with, so that its maker owns what it says. Objects of built-in kinds pass through Go
 * structs, which are there before anything is said; so nobody comes to own a struct as such.
 */
export function zeroOf(
  type: ResourceType,
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
): JsonObject {
  const zero = type.custom || type.schema === undefined ? {} : zeroStruct(type.schema);
  return { ...zero, apiVersion, kind, metadata: {} };
}

function zeroStruct(schema: StructuralSchema): JsonObject {
  const zero: JsonObject = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(name) === true;
    if (nulls.has(name)) zero[name] = null;
    else if (blanks.has(name)) zero[name] = "";
    else if (field.properties !== undefined && structs.has(name)) zero[name] = zeroStruct(field);
    else if (required && (field.type === "array" || field.type === "object")) zero[name] = null;
  }
  return zero;
}
