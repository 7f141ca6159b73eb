import { canonicalQuantity } from "../../../shared/kube/quantity.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject, type JsonObject } from "../json.ts";

/** The marks that built-in schemas carry beside the words of a CRD. */
type Marked = StructuralSchema & { readonly "x-quantity"?: boolean };

/**
 * Brings an object of a built-in kind into the form in which the real server stores it. There, objects pass through Go
 * structs: a null is an absent field, an empty text, list or map is left out, a quantity has one spelling. Only fields
 * that Go holds as pointers keep their zero: which ones those are is not in the published schema, so the names are here.
 */
export function asStored(object: JsonObject, schema: StructuralSchema): void {
  fields(object, schema);
}

function value(given: unknown, schema: Marked): unknown {
  if (schema["x-quantity"] === true)
    return typeof given === "string" || typeof given === "number"
      ? (canonicalQuantity(given) ?? given)
      : given;
  if (Array.isArray(given)) {
    const { items } = schema;
    return items === undefined ? given : given.map((item) => value(item, items));
  }
  if (!isObject(given)) return given;
  if (schema.properties !== undefined) fields(given, schema);
  else if (isObject(schema.additionalProperties)) {
    const inner = schema.additionalProperties;
    for (const name of Object.keys(given)) {
      // In a map of texts null is the empty text.
      if (given[name] === null && inner.type === "string") given[name] = "";
      else given[name] = value(given[name], inner);
    }
  }
  return given;
}

function fields(object: JsonObject, schema: StructuralSchema): void {
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(object, name)) continue;
    const stored = value(object[name], inner);
    if (stored === null || (!schema.required?.includes(name) && isLeftOut(name, stored, inner)))
      delete object[name];
    else object[name] = stored;
  }
}

function isLeftOut(name: string, stored: unknown, schema: StructuralSchema): boolean {
  if (stored === "") return !pointerTexts.has(name) && schema["x-kubernetes-int-or-string"] !== true;
  if (stored === false) return plainFlags.has(name);
  if (stored === 0) return plainNumbers.has(name);
  if (Array.isArray(stored)) return stored.length === 0 && name !== "rules";
  return isObject(stored) && schema.additionalProperties !== undefined && Object.keys(stored).length === 0;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Texts for which empty differs from absent. */
const pointerTexts = words(`
  appProtocol holderIdentity hostnameOverride ingressClassName internalTrafficPolicy ipFamilyPolicy
  loadBalancerClass preemptionPolicy runtimeClassName storageClassName timeZone trafficDistribution type
  volumeAttributesClassName volumeMode`);
/** Flags for which false is the same as absent. */
const plainFlags = words(`
  chapAuthDiscovery chapAuthSession globalDefault hostIPC hostNetwork hostPID paused publishNotReadyAddresses
  readOnly sslEnabled stdin stdinOnce tty unschedulable`);
/** Numbers for which zero is the same as absent. */
const plainNumbers = words(`
  active availableReplicas count currentReplicas failed failureThreshold fullyLabeledReplicas generation healthCheckNodePort
  hostPort initialDelaySeconds minReadySeconds nodePort numberAvailable numberUnavailable observedGeneration
  periodSeconds readyReplicas signal succeeded successThreshold timeoutSeconds unavailableReplicas
  updatedNumberScheduled updatedReplicas`);
