import { fieldOf, isRecord } from "../../json/fields.ts";
import { crdOf } from "../crd.ts";
import type { KindStatics } from "../kind.ts";
import { isSubdomain } from "../subdomain.ts";
import { prune } from "./prune.ts";
import { validateSchema } from "./validate.ts";

interface Checked {
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
}

/** Labels and annotations that are no texts: `true` and `1` want quotes. */
const ofMaps = (metadata: object): readonly string[] =>
  (["labels", "annotations"] as const).flatMap((field) => {
    const given: unknown = fieldOf(metadata, field) ?? {};
    if (!isRecord(given)) return [`metadata.${field} is no map`];
    return Object.entries(given).flatMap(([key, value]) =>
      typeof value === "string"
        ? []
        : [`metadata.${field}[${key}] is ${JSON.stringify(value)}, which is no text: write it in quotes`],
    );
  });

/**
 * The faults for which the API server would refuse an object's name, labels, annotations or spec, each with its path, in the server's words. Fields that it does not
 * know are among them: it refuses them for whoever asks it to be strict, as kubectl does.
 */
export function schemaFaults(kind: KindStatics, { metadata, spec }: Checked): readonly string[] {
  const { name } = metadata;
  const { properties } = crdOf(kind).spec.versions[0].schema.openAPIV3Schema;
  const named = isSubdomain(name)
    ? []
    : [`metadata.name ${JSON.stringify(name)} may have lower case letters, digits, - and . alone`];
  const schema = properties?.spec;
  const marks = ofMaps(metadata);
  if (schema === undefined) return [...named, ...marks];
  const known = structuredClone(spec);
  const unknown: string[] = [];
  prune(schema, known, unknown, "spec");
  return [
    ...named,
    ...marks,
    ...unknown.map((field) => `${field}: unknown field`),
    ...validateSchema(schema, known, "spec").map(({ field, message }) => `${field}: ${message}`),
  ];
}
