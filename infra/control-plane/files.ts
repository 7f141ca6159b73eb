import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import { ControlPlaneError } from "./errors.ts";
import { AUDIT_POLICY } from "./flags.ts";

const RENEW_BEFORE_MILLISECONDS = 30 * 24 * 3600 * 1000;

/** Keys, tokens and the audit policy: made once, found again by the next start in the same folder. */
export function prepareFiles(directory: string) {
  try {
    mkdirSync(join(directory, "certs"), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new ControlPlaneError("FAILED", `The folder ${directory} cannot be written: ${messageOf(cause)}.`, {
      cause,
    });
  }
  const path = (name: string): string => join(directory, name);
  const once = (name: string, make: () => string): string => {
    if (!existsSync(path(name))) writePrivate(path(name), make());
    return readFileSync(path(name), "utf8");
  };
  const token = once("token", () => randomBytes(24).toString("hex"));
  const controllersToken = once("controllers-token", () => randomBytes(24).toString("hex"));
  writePrivate(
    path("tokens.csv"),
    `${token},reveille-admin,reveille-admin,system:masters\n${controllersToken},reveille:control-plane,control-plane,system:masters\n`,
  );
  if (!existsSync(path("service-accounts.key")) || !existsSync(path("service-accounts.pub"))) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      privateKeyEncoding: { type: "sec1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    writePrivate(path("service-accounts.key"), privateKey);
    writePrivate(path("service-accounts.pub"), publicKey);
  }
  writePrivate(path("audit-policy.json"), JSON.stringify(AUDIT_POLICY));
  const certificate = path("certs/apiserver.crt");
  // kube-apiserver takes an expired certificate without a word and makes a new one only where there is none.
  if (
    existsSync(certificate) &&
    Date.parse(new X509Certificate(readFileSync(certificate)).validTo) <
      Date.now() + RENEW_BEFORE_MILLISECONDS
  )
    rmSync(certificate);
  return {
    token,
    controllersToken,
    tokenFile: path("tokens.csv"),
    signingKey: path("service-accounts.key"),
    verifyingKey: path("service-accounts.pub"),
    auditPolicy: path("audit-policy.json"),
    lastPort: existsSync(path("port")) ? Number(readFileSync(path("port"), "utf8")) : undefined,
  };
}

/** Writes a file that only its owner may read. */
export const writePrivate = (path: string, content: string): void =>
  writeFileSync(path, content, { mode: 0o600 });
