import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Authority, createAuthority, loadAuthority } from "../../../shared/tls/index.ts";

/** The identity of a server over two starts: its authority and the token of its user. */
export interface Identity {
  readonly authority: Authority;
  readonly token: string;
}

/** Reads the identity of a folder, or makes one and keeps it there in files that only the user may read. */
export function identityIn(directory: string | undefined): Identity {
  if (directory === undefined)
    return { authority: createAuthority({ commonName: "reveille-local" }), token: newToken() };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const at = {
    certificate: join(directory, "ca.crt"),
    key: join(directory, "ca.key"),
    token: join(directory, "token"),
  };
  if (Object.values(at).every((path) => existsSync(path))) {
    const pair = { certificate: readFileSync(at.certificate, "utf8"), key: readFileSync(at.key, "utf8") };
    return { authority: loadAuthority(pair), token: readFileSync(at.token, "utf8").trim() };
  }
  const made: Identity = { authority: createAuthority({ commonName: "reveille-local" }), token: newToken() };
  writeFileSync(at.certificate, made.authority.certificate, { mode: 0o600 });
  writeFileSync(at.key, made.authority.key, { mode: 0o600 });
  writeFileSync(at.token, `${made.token}\n`, { mode: 0o600 });
  return made;
}

const newToken = (): string => randomBytes(24).toString("base64url");
