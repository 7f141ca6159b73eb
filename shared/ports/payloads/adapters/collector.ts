import type { PayloadFile } from "../contract.ts";
import { PayloadsError } from "../errors.ts";

/** The limits of a payload: an image may hold anything. In bytes, files as a number. */
export interface PayloadLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  /** The most bytes that an archive may unpack to, the parts that are passed over included. */
  readonly unpackedBytes: number;
}

const MEBIBYTE = 2 ** 20;

/** Several times what the largest known payload needs. An object of more than 1.5 MiB no API server stores; as YAML it is longer. */
export const DEFAULT_LIMITS: PayloadLimits = {
  fileBytes: 4 * MEBIBYTE,
  totalBytes: 256 * MEBIBYTE,
  files: 20_000,
  unpackedBytes: 4096 * MEBIBYTE,
};

export type Folder = "manifests" | "release-manifests";
export const FOLDERS: readonly Folder[] = ["manifests", "release-manifests"];

/** The files of a payload while they are gathered, within limits. Later ones replace earlier ones of the same path. */
export class Collector {
  readonly #image: string;
  readonly #limits: PayloadLimits;
  readonly #files = new Map<string, Uint8Array>();
  readonly #folders = new Set<Folder>();
  #bytes = 0;
  #unpacked = 0;

  constructor(image: string, limits: PayloadLimits) {
    this.#image = image;
    this.#limits = limits;
  }

  /** Notes that a folder is there, even if it is empty. */
  folder(folder: Folder): void {
    this.#folders.add(folder);
  }

  /** Refuses before anything is read. @throws PayloadsError `PAYLOAD_TOO_LARGE` */
  announce(path: string, bytes: number): void {
    const { fileBytes, totalBytes, files } = this.#limits;
    if (bytes > fileBytes) throw this.#tooLarge(`${path} has ${bytes} bytes, ${fileBytes} at most`);
    if (this.#bytes + bytes > totalBytes)
      throw this.#tooLarge(`its manifests have more than ${totalBytes} bytes`);
    if (this.#files.size >= files) throw this.#tooLarge(`it has more than ${files} manifest files`);
  }

  add(folder: Folder, name: string, content: Uint8Array): void {
    const path = `${folder}/${name}`;
    this.announce(path, content.byteLength);
    this.remove(path);
    this.#folders.add(folder);
    this.#files.set(path, content);
    this.#bytes += content.byteLength;
  }

  /** Forgets one file, or with a trailing `/` all files of a folder. */
  remove(path: string): void {
    for (const [known, content] of path.endsWith("/")
      ? [...this.#files]
      : [[path, this.#files.get(path)] as const])
      if (content !== undefined && known.startsWith(path)) {
        this.#files.delete(known);
        this.#bytes -= content.byteLength;
      }
  }

  /** Forgets a folder itself. */
  removeFolder(folder: Folder): void {
    this.remove(`${folder}/`);
    this.#folders.delete(folder);
  }

  /** Counts what comes out of an archive. @throws PayloadsError `PAYLOAD_TOO_LARGE` */
  unpacked(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.#limits.unpackedBytes)
      throw this.#tooLarge(`it unpacks to more than ${this.#limits.unpackedBytes} bytes`);
  }

  /** @throws PayloadsError `PAYLOAD_INCOMPLETE` where one of the folders is not there. */
  files(): readonly PayloadFile[] {
    for (const folder of FOLDERS)
      if (!this.#folders.has(folder))
        throw new PayloadsError(
          "PAYLOAD_INCOMPLETE",
          this.#image,
          `it has no folder ${folder}/: it is no release payload`,
        );
    return [...this.#files].map(([path, content]) => ({ path, content }));
  }

  #tooLarge(what: string): PayloadsError {
    return new PayloadsError(
      "PAYLOAD_TOO_LARGE",
      this.#image,
      `${what}: it is no release payload, or its limits are too small`,
    );
  }
}
