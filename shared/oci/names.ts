import { OciError } from "./errors.ts";

const COMPONENT = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const REPOSITORY = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** True for a text that can be a tag. */
export const isTag = (text: string): boolean => TAG.test(text);
/** True for a digest that is read. */
export const isDigest = (text: string): boolean => DIGEST.test(text);

/** A repository of a registry. */
export interface Repository {
  readonly registry: URL;
  readonly name: string;
}

/** True for a text that names a repository of a registry. */
export const isRepository = (text: string): boolean => partsOf(text) !== undefined;

/**
 * Reads `registry.example.org:5000/path/of/repository`. The registry is spoken to over https; in the clear only on this machine, or
 * where `plainHttp` says so. @throws OciError `OCI_NAME_INVALID`
 */
export function repositoryOf(
  text: string,
  { plainHttp = false }: { readonly plainHttp?: boolean } = {},
): Repository {
  const parts = partsOf(text);
  if (parts === undefined)
    throw new OciError(
      "OCI_NAME_INVALID",
      `${JSON.stringify(text)} names no repository: write registry.example.org/path`,
    );
  const { host, https, name } = parts;
  return { registry: plainHttp || LOOPBACK.test(https.hostname) ? new URL(`http://${host}`) : https, name };
}

/** The host and the path of a repository; undefined where the text names none. */
function partsOf(
  text: string,
): { readonly host: string; readonly https: URL; readonly name: string } | undefined {
  const slash = text.indexOf("/");
  const host = text.slice(0, Math.max(slash, 0));
  const name = text.slice(slash + 1);
  const https = URL.parse(`https://${host}`);
  const isHost = https !== null && https.host !== "" && /^[A-Za-z0-9.:[\]-]+$/.test(host);
  return isHost && name.length <= 255 && REPOSITORY.test(name) ? { host, https, name } : undefined;
}
