import type { TestContext } from "vitest";
import { type Connection, fixedCredentials } from "../../shared/kube/http/connection.ts";
import { missingBinaries } from "../control-plane/binaries.ts";
import {
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
} from "../control-plane/real-control-plane.ts";

export {
  type ControlPlane,
  type ControlPlaneOptions,
  type ControlPlanePart,
  type Kubeconfig,
  startControlPlane,
} from "../control-plane/real-control-plane.ts";

/**
 * For `describe(name, { skip: skipWithoutControlPlane() !== false }, …)`: why the real control plane cannot run here, or false.
 * With `CI=true` it is always false, so that the start then fails with the same sentence.
 */
export function skipWithoutControlPlane({ controllerManager = false } = {}): string | false {
  if (process.env.CI === "true") return false;
  return (
    missingBinaries(process.env.KUBEBUILDER_ASSETS, [
      "etcd",
      "kube-apiserver",
      ...(controllerManager ? (["kube-controller-manager"] as const) : []),
    ]) ?? false
  );
}

/** A control plane for one test, stopped at its end. Undefined where it was skipped for want of programs: the test then returns. */
export async function requireControlPlane(
  t: TestContext,
  options: ControlPlaneOptions = {},
): Promise<ControlPlane | undefined> {
  const missing = skipWithoutControlPlane({ controllerManager: options.controllerManager === true });
  if (missing !== false) {
    t.skip(missing);
    return undefined;
  }
  const plane = await startControlPlane(options);
  t.onTestFinished(() => plane.stop());
  return plane;
}

/** The connection by which `createKubeClient` reaches it, as its administrator. */
export const connectionTo = ({ url, ca, token }: Pick<ControlPlane, "url" | "ca" | "token">): Connection => ({
  server: url,
  namespace: "default",
  tls: { ca },
  credentials: fixedCredentials(`Bearer ${token}`),
  headers: {},
});
