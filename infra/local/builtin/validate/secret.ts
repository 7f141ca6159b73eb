import type { FieldError } from "../../../../shared/kube/validation/fault.ts";
import { fault } from "../../../../shared/kube/validation/fault.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { goJsonError } from "../../server/go-json.ts";
import { objectAt, textAt, textsAt } from "../reading.ts";

const has = (object: JsonObject, key: string): boolean => Object.hasOwn(objectAt(object, "data"), key);
const filled = (object: JsonObject, key: string): boolean => textAt(objectAt(object, "data"), key) !== "";
const missing = (keys: readonly string[], present: (key: string) => boolean): FieldError[] =>
  keys.filter((key) => !present(key)).map((key) => fault.required(`data[${key}]`));

/** The contents that Secrets of a type must hold. */
const rules: Readonly<Record<string, (object: JsonObject) => FieldError[]>> = {
  "kubernetes.io/dockercfg": (object) => registryFaults(object, ".dockercfg"),
  "kubernetes.io/dockerconfigjson": (object) => registryFaults(object, ".dockerconfigjson"),
  "kubernetes.io/ssh-auth": (object) => missing(["ssh-privatekey"], (key) => filled(object, key)),
  "kubernetes.io/tls": (object) => missing(["tls.crt", "tls.key"], (key) => has(object, key)),
  "kubernetes.io/basic-auth": (object) => {
    const faults = missing(["username", "password"], (key) => has(object, key));
    return faults.length === 2 ? faults : [];
  },
  "kubernetes.io/service-account-token"(object) {
    const name = "kubernetes.io/service-account.name";
    return textsAt(objectAt(object, "metadata"), "annotations")[name]
      ? []
      : [fault.required(`metadata.annotations[${name}]`)];
  },
};

/** The contents that the type of a Secret asks for and that are missing. */
export const secretTypeFaults = (object: JsonObject): FieldError[] =>
  rules[textAt(object, "type")]?.(object) ?? [];

function registryFaults(object: JsonObject, key: string): FieldError[] {
  if (!has(object, key)) return [fault.required(`data[${key}]`)];
  const text = Buffer.from(textAt(objectAt(object, "data"), key), "base64").toString();
  const wrong = (why: string): FieldError[] => [
    fault.invalid(`data[${key}]`, "<secret contents redacted>", why),
  ];
  try {
    const found: unknown = JSON.parse(text);
    if (isObject(found) || found === null) return [];
    const given = Array.isArray(found) ? "array" : typeof found === "boolean" ? "bool" : typeof found;
    return wrong(`json: cannot unmarshal ${given} into Go value of type map[string]interface {}`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return wrong(goJsonError(text, error));
  }
}
