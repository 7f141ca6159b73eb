import { fieldOf, fieldsOf, isRecord, listOf, textOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import { objectOf } from "../../../../shared/manifests/object-of.ts";
import { PIPE_POD_ANNOTATION } from "../decorate/index.ts";

/** The container that keeps the Pod of a Pipe task alive while its files are read. */
export const WAITER = "waiter";
/** The command of that container: a shell that is the first process heeds no signal unless it says so. */
const WAITS = ["/bin/sh", "-c", "trap 'exit 0' TERM; sleep infinity & wait"];

/** The Pod that a rendered template says, under the name that it is given; in words why it is none. */
export function podIn(template: string, text: string, name: string): KubeObject | string {
  const { documents, faults } = documentsOf(text);
  const [fault] = faults;
  if (fault !== undefined) return `${template}, document ${fault.number}: ${fault.message}`;
  const [document, second] = documents;
  if (document === undefined || second !== undefined)
    return `${template} holds ${documents.length} objects: a Pipe task needs one Pod`;
  const { value } = document;
  if (!isRecord(value)) return `${template} holds no object`;
  const { generateName: _, ...metadata } = fieldsOf(value.metadata);
  const pod = objectOf({ ...value, metadata: { ...metadata, name } });
  if (typeof pod === "string") return `${template}: ${pod}`;
  return pod.apiVersion === "v1" && pod.kind === "Pod" ? pod : `${template} holds no Pod, but a ${pod.kind}`;
}

/** The place where both containers find the files. */
function sharedMount(pod: KubeObject): { readonly init: unknown; readonly mount: unknown } | string {
  const { containers, initContainers, volumes, restartPolicy } = fieldsOf(pod.spec);
  if (listOf(containers).length > 0)
    return "it has containers: it must have one init container, and no others";
  const [init, second] = listOf(initContainers);
  if (init === undefined || second !== undefined)
    return `it has ${listOf(initContainers).length} init containers: it must have one`;
  const empty = listOf(volumes).filter((volume) => isRecord(fieldOf(volume, "emptyDir")));
  if (empty.length !== 1) return `it has ${empty.length} emptyDir volumes: it must have one`;
  const mounts = listOf(fieldOf(init, "volumeMounts")).filter(
    (mount) => fieldOf(mount, "name") === fieldOf(empty[0], "name"),
  );
  if (mounts.length !== 1)
    return `its init container mounts its emptyDir ${mounts.length} times: it must do so once`;
  const policy = restartPolicy ?? "";
  return policy === "" || policy === "OnFailure"
    ? { init, mount: mounts[0] }
    : `its restartPolicy is ${String(policy)}: it must be OnFailure`;
}

/** The parts of a path; undefined where it is not absolute, or leads out of where it began. */
function partsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith("/")) return undefined;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts;
}

/** The path of a file that lies below a folder, without what it need not say; undefined where it does not. */
function below(folder: string, file: string): string | undefined {
  const [within, path] = [partsOf(folder), partsOf(file)];
  if (within === undefined || path === undefined || path.length <= within.length) return undefined;
  return within.every((part, at) => part === path[at]) ? `/${path.join("/")}` : undefined;
}

/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The fault of a Pod that cannot hand over files, in words; without one, the paths of its files. */
export function pathsIn(
  pod: KubeObject,
  files: readonly string[],
): { readonly paths: readonly string[] } | { readonly fault: string } {
  const found = sharedMount(pod);
  if (typeof found === "string")
    return { fault: `pod ${pod.metadata.name} is no Pod of a Pipe task: ${found}` };
  const mountPath = textOf(fieldOf(found.mount, "mountPath"));
  const paths: string[] = [];
  for (const file of files) {
    const path = below(mountPath, file);
    if (path === undefined) return { fault: `pipe file ${file} must lie below the mount path ${mountPath}` };
    const base = baseName(path);
    if (!/^[-._a-zA-Z0-9]+$/.test(base) || base.startsWith(".."))
      return {
        fault: `pipe file ${file}: its name becomes a key: only letters, numbers and - . _ are allowed`,
      };
    paths.push(path);
  }
  return { paths };
}

/**
 * The Pod as it is made: once its init container has written the files, another waits until they were read. It reads as the same
 * user, under the same restrictions.
 */
export function withWaiter(pod: KubeObject, image: string): KubeObject {
  const found = sharedMount(pod);
  if (typeof found === "string") throw new TypeError(`${pod.metadata.name} was never looked at: ${found}`);
  const { init, mount } = found;
  const securityContext = fieldOf(init, "securityContext");
  const waiter = {
    name: WAITER,
    image,
    command: WAITS,
    volumeMounts: [{ ...fieldsOf(mount), readOnly: true }],
    ...(securityContext !== undefined && { securityContext }),
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata.annotations, [PIPE_POD_ANNOTATION]: "true" },
    },
    spec: { ...fieldsOf(pod.spec), restartPolicy: "OnFailure", containers: [waiter] },
  };
}
