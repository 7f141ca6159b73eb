import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { access } from "node:fs/promises";
import type { PayloadFile } from "../contract.ts";
import { PayloadsError } from "../errors.ts";

/** One place that holds one payload. */
export interface PayloadSource {
  /** Cheap; see `PayloadBundle.fingerprint`. */
  fingerprint(): Promise<string>;
  files(): Promise<readonly PayloadFile[]>;
}

/** A text that changes when a file does, without reading it. */
export const stamp = (path: string, { size, mtimeNs, ino }: BigIntStats): string =>
  `${path}\0${size}\0${mtimeNs}\0${ino}\n`;

export const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** True where a file system call failed because nothing is there. */
const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

/** Runs what reads a payload; whatever goes wrong there is told of the image. @throws PayloadsError */
export async function reading<T>(image: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PayloadsError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new PayloadsError("PAYLOAD_UNREADABLE", image, `it cannot be read (${message})`, error);
  }
}
