import * as z from "zod";
import { ArchiveError, filesOf, isTar, plainFile } from "../../../../../shared/archive/index.ts";
import { isRecord } from "../../../../../shared/json/fields.ts";
import { documentsOf } from "../../../../../shared/manifests/documents.ts";
import type { Component } from "../contract.ts";
import type { Fault } from "./fault.ts";
import type { ArtifactAccess } from "./source.ts";

/** The most bytes of a component's descriptor. */
export const DESCRIPTOR_BYTES = 100 * 2 ** 10;
const FILE = "component-descriptor.yaml";
const LIMITS = {
  fileBytes: DESCRIPTOR_BYTES,
  totalBytes: DESCRIPTOR_BYTES,
  files: 10,
  // Headers and padding of a tar program that writes large blocks.
  unpackedBytes: 10 * DESCRIPTOR_BYTES,
};

// Programs write null for what is not there.
const optional = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);
const resource = z.looseObject({
  name: z.string(),
  version: optional,
  digest: z
    .looseObject({ hashAlgorithm: optional, normalisationAlgorithm: optional, value: optional })
    .nullish(),
  access: z.looseObject({
    type: z.string(),
    mediaType: optional,
    localReference: optional,
    digest: optional,
    imageReference: optional,
    reference: optional,
  }),
});
const content = z.looseObject({
  name: z.string(),
  version: z.string(),
  resources: z.array(resource).nullish(),
});
/** A descriptor of schema v2 has its content under `component`. */
const second = z.looseObject({ component: content }).transform(({ component }) => component);
/** One of schema v3alpha1 has it under `metadata` and `spec`. */
const third = z
  .looseObject({
    metadata: z.looseObject({ name: z.string(), version: z.string() }),
    spec: z.looseObject({ resources: z.array(resource).nullish() }),
  })
  .transform(({ metadata, spec }) => ({ ...metadata, resources: spec.resources }));

/** The types of access, without their versions, by the names that OCM's tools have written over the years. */
const ACCESS: ReadonlyMap<string, "blob" | "image" | "relative"> = new Map([
  ...(["localBlob", "LocalBlob", "localOciBlob"] as const).map((type) => [type, "blob"] as const),
  ["relativeOciReference", "relative"] as const,
  ...(["ociArtifact", "ociRegistry", "ociImage", "OCIImage"] as const).map(
    (type) => [type, "image"] as const,
  ),
]);
const accessOf = (type: string): "blob" | "image" | "relative" | undefined =>
  ACCESS.get(type.replace(/\/v1$/, ""));
const ARTIFACT = "raw-manifest";
/** The default configuration object also lies in the ModuleTemplate, and is read there. */
const PASSED_OVER = "default-cr";

/** A component as its descriptor tells of it. */
export interface DescribedComponent extends Pick<Component, "name" | "version" | "localizedImages"> {
  readonly artifact: ArtifactAccess;
}

/** Unpacks and reads the descriptor of a component. `host`: of its registry. */
export async function componentIn(
  layer: Uint8Array,
  {
    mediaType = "",
    ...wanted
  }: Pick<Component, "name" | "version"> & { readonly mediaType?: string | undefined },
  host: string | undefined,
): Promise<DescribedComponent | Fault> {
  const text = /\+(yaml|json)$/.test(mediaType) ? layer : await unpacked(layer);
  if ("fault" in text) return text;
  if (text.byteLength > DESCRIPTOR_BYTES)
    return { fault: `its descriptor has ${text.byteLength} bytes, ${DESCRIPTOR_BYTES} at most` };
  const { documents, faults } = documentsOf(Buffer.from(text).toString("utf8"));
  const [fault] = faults;
  if (fault !== undefined) return { fault: `its descriptor is no YAML: ${fault.message}` };
  const value = documents[0]?.value;
  const schema = isRecord(value) && "component" in value ? second : third;
  const { data, error } = schema.safeParse(value);
  if (data === undefined)
    return {
      fault: `its descriptor is none of OCM: ${error.issues[0]?.path.join(".")}: ${error.issues[0]?.message}`,
    };
  if (data.name !== wanted.name || data.version !== wanted.version)
    return { fault: `its descriptor is that of ${data.name} ${data.version}: publish it under its own name` };
  return componentOf(data, host);
}

/** The descriptor, which may lie in a tar, packed or not, whatever its layer is said to be. */
async function unpacked(layer: Uint8Array): Promise<Uint8Array | Fault> {
  try {
    const content = await plainFile(layer, LIMITS.unpackedBytes);
    if (!isTar(content)) return content;
    const file = (await filesOf(content, LIMITS)).get(FILE);
    return file ?? { fault: `its descriptor's layer holds no ${FILE}` };
  } catch (error) {
    if (error instanceof ArchiveError) return { fault: `its descriptor: ${error.message}` };
    throw error;
  }
}

function componentOf(
  { name, version, resources }: z.output<typeof content>,
  host: string | undefined,
): DescribedComponent | Fault {
  const localizedImages: string[] = [];
  let artifact: ArtifactAccess | undefined;
  const artifacts = (resources ?? []).filter((one) => one.name === ARTIFACT).length;
  if (artifacts > 1)
    return {
      fault: `its descriptor has ${artifacts} resources ${ARTIFACT}: one is wanted, with all objects`,
    };
  for (const { access, ...one } of resources ?? []) {
    if (one.name === PASSED_OVER) continue;
    const sort = accessOf(access.type);
    const isArtifact = one.name === ARTIFACT;
    if (sort === undefined)
      return {
        fault: `its resource ${one.name} has access of the type ${access.type}, which is not known: use localBlob or ${isArtifact ? "relativeOciReference" : "ociArtifact"}`,
      };
    if (sort === "blob") {
      const ref = access.localReference || access.digest || one.version || version;
      if (!isArtifact) continue;
      const said = digestOf(one);
      if (said !== undefined && said !== ref)
        return {
          fault: `its resource ${ARTIFACT} lies at ${ref}, and has the digest ${said}: publish it anew`,
        };
      artifact = { sort, ref, mediaType: access.mediaType ?? "" };
    } else if (sort === "image") {
      if (isArtifact)
        return {
          fault: `its resource ${ARTIFACT} is an image of any registry: publish it with the component (localBlob), or name it within the registry of that (relativeOciReference)`,
        };
      if (!access.imageReference) return { fault: `its resource ${one.name} names no image` };
      localizedImages.push(access.imageReference);
    } else {
      const { reference } = access;
      if (!reference) return { fault: `its resource ${one.name} names no reference` };
      if (isArtifact) artifact = { sort, reference };
      // Images of a layout, which has no registry, are pulled from where the objects say.
      else if (host !== undefined) localizedImages.push(`${host}/${reference}`);
    }
  }
  return artifact === undefined
    ? { fault: `its descriptor names no resource ${ARTIFACT}: publish the rendered objects under that name` }
    : { name, version, artifact, localizedImages };
}

/** The digest that a resource has of its blob; undefined where it has another one, or none. */
function digestOf({ digest }: Pick<z.output<typeof resource>, "digest">): string | undefined {
  const { hashAlgorithm, normalisationAlgorithm = "", value } = digest ?? {};
  const isOfBlob = normalisationAlgorithm.startsWith("genericBlobDigest/") && hashAlgorithm === "SHA-256";
  return isOfBlob && value ? `sha256:${value}` : undefined;
}
