import { hash } from "node:crypto";
import { CREATED, OciError, type RegistryClient, TITLE } from "../../../../../shared/oci/index.ts";
import { isAsset, type Opening, type SourceFailure } from "../contract.ts";
import { absent, failed } from "./failure.ts";
import { MOST_BYTES, openedRelease, tooLarge } from "./opened.ts";
import type { FoundRelease, RemoteSource } from "./paced.ts";

/** The sort of artifact that a release is. */
export const ARTIFACT_TYPE = "application/vnd.scs.cluster-stacks.v1";

/**
 * One source: a repository of a registry, in which each tag is a release, and each layer of its artifact a file with its name in the
 * title annotation. A manifest is another one for each push, of the same files too: it only says whether to read again. Registries tell of no list when its releases were published.
 */
export function ociReleases(source: string, repository: RegistryClient): RemoteSource {
  return {
    list: async () => {
      try {
        const tags = [...(await repository.tags())].sort();
        const version = hash("sha256", JSON.stringify(tags), "hex");
        return { state: "listed", version, releases: tags.map((tag) => ({ tag })) };
      } catch (error) {
        return failureOf(source, error);
      }
    },
    look: (tag) => told(source, () => found(source, repository, tag)),
  };
}

/** Has a registry's refusal be an answer. */
async function told<Answer>(source: string, ask: () => Promise<Answer>): Promise<Answer | Opening> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof OciError && (error.code === "OCI_DIGEST_MISMATCH" || error.code === "OCI_TOO_LARGE"))
      return damaged(error.message);
    return failureOf(source, error);
  }
}

async function found(
  source: string,
  repository: RegistryClient,
  tag: string,
): Promise<FoundRelease | Opening> {
  const document = await repository.document(tag).catch((error: unknown) => {
    if (error instanceof OciError && error.code === "OCI_NOT_FOUND") return undefined;
    throw error;
  });
  if (document === undefined) {
    // A repository that is not there, or not for us to see, has no tags either, and says so.
    await repository.tags();
    return absent(source, tag);
  }
  const type =
    document.kind === "index"
      ? "an index of images"
      : (document.content.artifactType ?? document.content.config?.mediaType ?? "of no type");
  if (document.kind === "index" || type !== ARTIFACT_TYPE)
    return damaged(`${tag} is no release: it is ${type}, not ${ARTIFACT_TYPE}`);
  const { layers, annotations } = document.content;
  const assets = layers.flatMap((layer) => {
    const name = layer.annotations?.[TITLE];
    return name !== undefined && isAsset(name) ? [{ name, layer }] : [];
  });
  const names = assets.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return damaged(`${tag} has two files ${twice}`);
  const large = tooLarge(assets.map(({ name, layer }) => [name, layer.size]));
  if (large !== undefined) return damaged(large);
  const created = Date.parse(annotations?.[CREATED] ?? "");
  const publishedAt = Number.isNaN(created) ? undefined : new Date(created).toISOString();
  const { digest } = document.descriptor;
  const read = async (): Promise<Opening> => {
    const files = new Map<string, Uint8Array>();
    for (const { name, layer } of assets)
      files.set(name, await repository.blobBytes(layer, { maximumBytes: MOST_BYTES.asset }));
    return { state: "opened", release: await openedRelease(files, { publishedAt, formerDigest: digest }) };
  };
  return { state: "found", stamp: digest, read: () => told(source, read) };
}

const damaged = (message: string): Opening => ({ state: "damaged", message });

const REASONS = {
  OCI_NOT_FOUND: "refused",
  OCI_UNAUTHORIZED: "refused",
  OCI_NAME_INVALID: "refused",
  OCI_RATE_LIMITED: "limited",
} as const;

function failureOf(source: string, error: unknown): SourceFailure {
  if (!(error instanceof OciError)) throw error;
  const { code, message, notBefore } = error;
  const reason = code in REASONS ? REASONS[code as keyof typeof REASONS] : "unavailable";
  return failed(reason, `source ${source}: ${message}`, notBefore);
}
