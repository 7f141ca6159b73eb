import { crdOf } from "../crd.ts";
import type { KindStatics } from "../kind.ts";
import { prune } from "./prune.ts";
import { validateSchema } from "./validate.ts";

/** The form of the names of custom resources, and the most characters of one. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;

interface Checked {
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
}

/**
 * The faults for which the API server would refuse an object's name or spec, each with its path, in the server's words. Fields that it does not
 * know are among them: it refuses them for whoever asks it to be strict, as kubectl does.
 */
export function schemaFaults(kind: KindStatics, { metadata: { name }, spec }: Checked): readonly string[] {
  const { properties } = crdOf(kind).spec.versions[0].schema.openAPIV3Schema;
  const named =
    name.length <= LONGEST_NAME && NAME.test(name)
      ? []
      : [`metadata.name ${JSON.stringify(name)} may have lower case letters, digits, - and . alone`];
  const schema = properties?.spec;
  if (schema === undefined) return named;
  const known = structuredClone(spec);
  const unknown: string[] = [];
  prune(schema, known, unknown, "spec");
  return [
    ...named,
    ...unknown.map((field) => `${field}: unknown field`),
    ...validateSchema(schema, known, "spec").map(({ field, message }) => `${field}: ${message}`),
  ];
}
