import { type Fields, fieldOf, fieldsOf, isRecord, listOf } from "../../../../shared/json/fields.ts";
import { defined, type Move, specOf, without, withSpec } from "./move.ts";

/** A backend as it is said now; one that names a resource stays as it is. */
function backend(said: unknown): Fields {
  const fields = fieldsOf(said);
  const { serviceName: name, servicePort: port } = fields;
  if (name === undefined && port === undefined) return fields;
  return {
    ...without(fields, "serviceName", "servicePort"),
    service: defined({
      name,
      // A port by number came as a number, or as a text of digits.
      port:
        port === undefined
          ? undefined
          : /^\d+$/.test(String(port))
            ? { number: Number(port) }
            : { name: port },
    }),
  };
}

const path = (said: unknown): Fields => ({
  pathType: "ImplementationSpecific",
  ...fieldsOf(said),
  backend: backend(fieldOf(said, "backend")),
});

function rule(said: unknown): Fields {
  const fields = fieldsOf(said);
  if (!isRecord(fields.http)) return fields;
  return { ...fields, http: { ...fields.http, paths: listOf(fields.http.paths).map(path) } };
}

/** The Ingress of extensions/v1beta1 and networking.k8s.io/v1beta1. */
export const ingress: Move = (object) => {
  const spec = specOf(object);
  return withSpec(
    object,
    defined({
      ...without(spec, "backend"),
      defaultBackend: spec.backend === undefined ? spec.defaultBackend : backend(spec.backend),
      rules: Array.isArray(spec.rules) ? spec.rules.map(rule) : undefined,
    }),
  );
};
