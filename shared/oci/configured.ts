import { readFile } from "node:fs/promises";
import { type Clock, systemClock } from "../clock/clock.ts";
import { messageOf } from "../errors.ts";
import type { Fetch } from "../requests/exchange.ts";
import { OciError } from "./errors.ts";
import type { Credentials } from "./login.ts";
import { repositoryOf } from "./names.ts";
import { RegistryClient } from "./registry.ts";
import type { RepositorySettings } from "./settings.ts";

/** The repository of a registry, with the credentials that its settings name. */
export function registryOf(
  settings: RepositorySettings,
  { clock = systemClock, fetch = globalThis.fetch }: { readonly clock?: Clock; readonly fetch?: Fetch } = {},
  credentials?: Credentials,
): RegistryClient {
  const { repository, plainHttp = false } = settings;
  return new RegistryClient(repositoryOf(repository, { plainHttp }), {
    clock,
    fetch,
    credentials: async () => credentials ?? credentialsOf(settings),
  });
}

/** A secret that cannot be read, or is none. */
export class SecretFault extends OciError {
  constructor(message: string, cause?: unknown) {
    super("OCI_UNAUTHORIZED", message, { cause });
  }
}

/** Reads a secret anew at each login: whoever mounts another one need not restart anything. */
export async function secretIn(file: string): Promise<string> {
  const secret = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new SecretFault(`the secret in ${file} cannot be read (${messageOf(cause)})`, cause);
  });
  // A header could not hold it, and the refusal would show it.
  if (/^[\x21-\x7e]+$/.test(secret.trim())) return secret.trim();
  throw new SecretFault(`${file} holds no secret: one line is wanted, without spaces`);
}

async function credentialsOf({
  username,
  passwordFile,
  tokenFile,
}: RepositorySettings): Promise<Credentials | undefined> {
  if (tokenFile !== undefined) return { token: await secretIn(tokenFile) };
  return username === undefined || passwordFile === undefined
    ? undefined
    : { username, password: await secretIn(passwordFile) };
}
