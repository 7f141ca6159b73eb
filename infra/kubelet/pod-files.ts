import { fieldOf, isRecord, listOf, textOf } from "../../shared/json/fields.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

/**
 * The annotation of a pod that names the files of its containers: `{"/tmp/key": "content", "/tmp/big": 1048577, "/tmp/none": null}`. A
 * number is a file of so many bytes, null one that is not there.
 */
export const FILES = "simulator.reveille.dev/files";

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
  const files: unknown = JSON.parse(pod.metadata.annotations?.[FILES] ?? "{}");
  if (isRecord(files) && Object.hasOwn(files, file)) {
    const named = files[file];
    if (named === null) return undefined;
    return typeof named === "number" ? Buffer.alloc(named, "x") : Buffer.from(textOf(named));
  }
  return isInEmptyDir(pod, container, file) ? Buffer.from(`simulated ${file}\n`) : undefined;
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
