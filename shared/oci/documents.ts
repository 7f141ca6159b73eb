import { hash } from "node:crypto";
import * as z from "zod";
import { OciError } from "./errors.ts";

const annotations = z.record(z.string(), z.string()).optional();

export const descriptorSchema = z.looseObject({
  mediaType: z.string().optional(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, "only sha256 digests are read"),
  size: z.number().int().nonnegative(),
  annotations,
  platform: z.looseObject({ architecture: z.string(), os: z.string() }).optional(),
});
/** A reference to content: its sort, digest and size. */
export type Descriptor = z.output<typeof descriptorSchema>;

export const indexSchema = z.looseObject({ manifests: z.array(descriptorSchema) });
/** The manifests of an image that is there for several platforms. */
export type Index = z.output<typeof indexSchema>;

export const manifestSchema = z.looseObject({
  artifactType: z.string().optional(),
  config: descriptorSchema.optional(),
  layers: z.array(descriptorSchema),
  annotations,
});
/** The layers of an image or artifact. */
export type Manifest = z.output<typeof manifestSchema>;

/** The annotations that tools agree on. */
export const TITLE = "org.opencontainers.image.title";
export const CREATED = "org.opencontainers.image.created";
export const REFERENCE_NAME = "org.opencontainers.image.ref.name";

export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";
/** The sorts of document that a tag may name. */
export const DOCUMENT_TYPES = [
  MANIFEST_TYPE,
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
] as const;

/** Indexes and manifests are small; the specification of registries advises 4 MiB. */
export const DOCUMENT_BYTES = 4 * 2 ** 20;

/** True for a list of manifests, in either of its two forms. */
export const isIndex = ({ mediaType = "" }: Pick<Descriptor, "mediaType">): boolean =>
  /image\.index\.v1|manifest\.list\.v2/.test(mediaType);

/** A manifest, or an index of several. */
export type ManifestOrIndex =
  | { readonly kind: "manifest"; readonly content: Manifest }
  | { readonly kind: "index"; readonly content: Index };
const withMediaType = z.looseObject({ mediaType: z.string().optional() });
/** The media type that a document names itself; undefined where it names none. */
export const mediaTypeIn = (document: unknown): string | undefined =>
  withMediaType.safeParse(document).data?.mediaType;

/** Reads a document by the media type that it has. @throws OciError `OCI_ANSWER_INVALID` */
export function manifestOrIndex(
  document: unknown,
  { mediaType, place }: { readonly mediaType: string | undefined; readonly place: string },
): ManifestOrIndex {
  const kind = isIndex({ mediaType }) ? "index" : "manifest";
  const invalid = (cause: z.ZodError): OciError => {
    const [{ path, message } = { path: [], message: "" }] = cause.issues;
    const where = path.length === 0 ? "" : ` (${path.join(".")}: ${message})`;
    return new OciError("OCI_ANSWER_INVALID", `${place}: it is no ${kind}${where}`, { cause });
  };
  if (kind === "index") {
    const { data, error } = indexSchema.safeParse(document);
    if (data === undefined) throw invalid(error);
    return { kind, content: data };
  }
  const { data, error } = manifestSchema.safeParse(document);
  if (data === undefined) throw invalid(error);
  return { kind, content: data };
}

/** The digest of content, as OCI writes it. */
export const digestOf = (content: Uint8Array): string => `sha256:${hash("sha256", content, "hex")}`;
