import { ReveilleError } from "../../shared/errors.ts";
import { type Fields, fieldOf, isRecord, listOf, textOf } from "../../shared/json/fields.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

/**
 * The annotation of a pod that names the files of its containers: `{"/tmp/key": "content", "/tmp/big": 1048577, "/tmp/none": null}`. A
 * number is a file of so many bytes, null one that is not there.
 */
export const FILES = "simulator.reveille.dev/files";

/** The most bytes of a file that are played. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The annotation says no files. */
export class PodFilesError extends ReveilleError {
  constructor(why: string, options?: ErrorOptions) {
    super(
      "POD_FILES",
      `The annotation ${FILES} ${why}: write a JSON object of paths to texts, numbers of bytes, or null.`,
      options,
    );
  }
}

/** The end of a command. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

const ended = (exitCode: number, stdout: Buffer | string = ""): Ended => ({
  exitCode,
  stdout: Buffer.from(stdout),
});

/**
 * Plays a command in a simulated container: `cat FILE`, `stat -c %s FILE`, `true` and `false`; any other is not found (127). A file
 * that the annotation does not name is there where it lies in an `emptyDir` that the container mounts: something may have written it.
 * Throws a `PodFilesError`.
 */
export function played(pod: KubeObject, container: string, command: readonly string[]): Ended {
  const [program = "", ...words] = command;
  const file = words.at(-1) ?? "";
  const content = (): Buffer | undefined => contentOf(pod, container, file);
  switch (program) {
    case "true":
      return ended(0);
    case "false":
      return ended(1);
    case "cat": {
      const found = content();
      return found === undefined ? ended(1) : ended(0, found);
    }
    case "stat": {
      const found = content();
      return found === undefined ? ended(1) : ended(0, `${found.length}\n`);
    }
    default:
      return ended(127);
  }
}

function contentOf(pod: KubeObject, container: string, file: string): Buffer | undefined {
  const files = filesOf(pod);
  if (!Object.hasOwn(files, file))
    return isInEmptyDir(pod, container, file) ? Buffer.from(`simulated ${file}\n`) : undefined;
  const named = files[file];
  if (named === null) return undefined;
  if (typeof named === "string") return Buffer.from(named);
  if (typeof named === "number" && Number.isInteger(named) && named >= 0 && named <= MOST_BYTES)
    return Buffer.alloc(named, "x");
  throw new PodFilesError(`gives ${file} neither a text, nor 0 to ${MOST_BYTES} bytes, nor null`);
}

function filesOf({ metadata }: KubeObject): Fields {
  let files: unknown;
  try {
    files = JSON.parse(metadata.annotations?.[FILES] ?? "{}");
  } catch (error) {
    if (error instanceof SyntaxError) throw new PodFilesError("is no JSON", { cause: error });
    throw error;
  }
  if (!isRecord(files)) throw new PodFilesError("is no JSON object");
  return files;
}

function isInEmptyDir({ spec }: KubeObject, container: string, file: string): boolean {
  const empty = listOf(fieldOf(spec, "volumes"))
    .filter((volume) => fieldOf(volume, "emptyDir") !== undefined)
    .map((volume) => fieldOf(volume, "name"));
  return listOf(fieldOf(spec, "containers"))
    .filter((one) => fieldOf(one, "name") === container)
    .flatMap((one) => listOf(fieldOf(one, "volumeMounts")))
    .some((mount) => {
      const folder = textOf(fieldOf(mount, "mountPath")).replace(/\/*$/, "/");
      return empty.includes(fieldOf(mount, "name")) && file.startsWith(folder);
    });
}

/** True where the pod has such a container, and it runs. */
export const runs = ({ spec, status }: KubeObject, container: string): boolean =>
  fieldOf(status, "phase") === "Running" &&
  listOf(fieldOf(spec, "containers")).some((one) => fieldOf(one, "name") === container);
