import { typeName } from "../../../shared/json/type-name.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { pruneMetadata } from "../../../shared/kube/validation/prune.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { labelForm, letterLabelForm } from "../forms.ts";
import { isObject } from "../json.ts";
import type { ApiObject } from "../resource-type.ts";
import { eachEmbedded } from "../schema/embedded.ts";
import { malformedMetadata, sharedMetadataFaults } from "./metadata.ts";

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[-+]\d{2}:\d{2})$/;

/**
 * Reads the metadata of objects within an object as that of any object: what it does not have goes, and is collected in `unknown`.
 * Gives why a part of it cannot be read.
 */
export function readEmbedded(
  schema: StructuralSchema,
  object: ApiObject,
  unknown: string[],
): string | undefined {
  let malformed: string | undefined;
  eachEmbedded(schema, object, (embedded, path) => {
    const at = `${path}.metadata`;
    if (embedded.metadata === null) embedded.metadata = {};
    const { metadata } = embedded;
    if (metadata === undefined) return;
    const why = unreadable(metadata);
    if (why !== undefined) malformed ??= `${at}: Invalid value: ${JSON.stringify(metadata)}: ${why}`;
    else if (isObject(metadata)) pruneMetadata(metadata, unknown, at);
  });
  return malformed;
}

function unreadable(metadata: unknown): string | undefined {
  if (!isObject(metadata))
    return `json: cannot unmarshal ${typeName(metadata)} into Go value of type v1.ObjectMeta`;
  const time = metadata.creationTimestamp;
  if (typeof time === "string" && !isTime.test(time)) {
    const shown = JSON.stringify(time);
    return `parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`;
  }
  return malformedMetadata(metadata as ApiObject["metadata"])?.replace("ObjectMeta.metadata.", "ObjectMeta.");
}

/** The faults in the types and the metadata of objects within an object. */
export function embeddedFaults(schema: StructuralSchema, object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  eachEmbedded(schema, object, ({ apiVersion, kind, metadata }, path) => {
    if (typeof apiVersion === "string" && apiVersion.split("/").length > 2) {
      const why = `unexpected GroupVersion string: ${apiVersion}`;
      errors.push(fault.invalid(`${path}.apiVersion`, apiVersion, why));
    }
    if (typeof kind === "string" && kind !== "")
      for (const why of letterLabelForm(kind.toLowerCase()))
        errors.push(
          fault.invalid(`${path}.kind`, kind, `may have mixed case, but should otherwise match: ${why}`),
        );
    if (!isObject(metadata)) return;
    const { namespace } = metadata;
    if (typeof namespace === "string" && namespace !== "")
      for (const why of labelForm(namespace))
        errors.push(fault.invalid(`${path}.metadata.namespace`, namespace, why));
    errors.push(...sharedMetadataFaults(metadata as ApiObject["metadata"], `${path}.metadata`));
  });
  return errors;
}
