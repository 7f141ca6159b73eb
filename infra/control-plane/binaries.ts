import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { ControlPlaneError } from "./errors.ts";

/** The programs of a control plane, as `setup-envtest` and every Kubernetes test kit name them. */
export type Binary = "etcd" | "kube-apiserver" | "kube-controller-manager";

const REMEDY =
  'get them with `eval "$(setup-envtest use -p env)"` (go install sigs.k8s.io/controller-runtime/tools/setup-envtest@latest)';

/** The sentence that says what is missing to run `binaries` from `folder` and what to do, or undefined when nothing is. */
export function missingBinaries(folder: string | undefined, binaries: readonly Binary[]): string | undefined {
  if (folder === undefined || folder === "")
    return `KUBEBUILDER_ASSETS is not set: it names the folder that holds ${binaries.join(", ")}; ${REMEDY}.`;
  const absent = binaries.filter((binary) => !executable(join(folder, binary)));
  if (absent.length === 0) return undefined;
  const extra = absent.includes("kube-controller-manager")
    ? " setup-envtest does not bring kube-controller-manager: put one of the same version beside them."
    : "";
  return `KUBEBUILDER_ASSETS=${folder} has no executable ${absent.join(", ")}; ${REMEDY}.${extra}`;
}

/** The folder that holds `binaries`. Throws `CONTROL_PLANE_BINARIES_MISSING`. */
export function binariesFolder(folder: string | undefined, binaries: readonly Binary[]): string {
  const missing = missingBinaries(folder, binaries);
  if (missing !== undefined || folder === undefined)
    throw new ControlPlaneError("BINARIES_MISSING", missing ?? "KUBEBUILDER_ASSETS is not set.");
  return folder;
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent or not executable: the caller's sentence names it either way.
    return false;
  }
}
