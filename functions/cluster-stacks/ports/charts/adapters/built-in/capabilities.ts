import { fixed } from "../../../../../../shared/templates/functions/define.ts";
import { bytesOf, List, type TemplateFunction } from "../../../../../../shared/templates/index.ts";
import type { KubernetesVersion } from "../chart/request.ts";
import { Struct } from "./objects.ts";

/** The version of helm whose answers these are. */
export const HELM_VERSION = "v4.1.4";
/** The groups that helm takes for served without asking a server, with their versions. */
const SERVED: readonly string[] = [
  "v1",
  "admissionregistration.k8s.io/v1 v1alpha1 v1beta1",
  "internal.apiserver.k8s.io/v1alpha1",
  "apps/v1 v1beta1 v1beta2",
  "authentication.k8s.io/v1 v1alpha1 v1beta1",
  "authorization.k8s.io/v1 v1beta1",
  "autoscaling/v1 v2 v2beta1 v2beta2",
  "batch/v1 v1beta1",
  "certificates.k8s.io/v1 v1beta1 v1alpha1",
  "coordination.k8s.io/v1alpha2 v1beta1 v1",
  "discovery.k8s.io/v1 v1beta1",
  "events.k8s.io/v1 v1beta1",
  "extensions/v1beta1",
  "flowcontrol.apiserver.k8s.io/v1 v1beta1 v1beta2 v1beta3",
  "networking.k8s.io/v1 v1beta1",
  "node.k8s.io/v1 v1alpha1 v1beta1",
  "policy/v1 v1beta1",
  "rbac.authorization.k8s.io/v1 v1beta1 v1alpha1",
  "resource.k8s.io/v1 v1beta2 v1beta1 v1alpha3",
  "scheduling.k8s.io/v1alpha1 v1beta1 v1",
  "storage.k8s.io/v1beta1 v1 v1alpha1",
  "storagemigration.k8s.io/v1beta1",
  "apiextensions.k8s.io/v1beta1 v1",
];

/** `.Capabilities.APIVersions`: a list that also answers `Has`. */
class VersionSet extends List {
  override get type(): string {
    return "common.VersionSet";
  }
  override method(name: string): TemplateFunction | undefined {
    return name === "Has" ? fixed(["string"], ([version]) => this.items.includes(version)) : undefined;
  }
}

const served = SERVED.flatMap((line) => {
  const [first = "", ...others] = line.split(" ");
  const group = first.slice(0, first.indexOf("/") + 1);
  return [first, ...others.map((version) => `${group}${version}`)];
});

/** `.Capabilities` as templates see them without a server. */
export function capabilities({ given, plain, major, minor }: KubernetesVersion): Struct {
  return new Struct("*common.Capabilities", {
    KubeVersion: new Struct(
      "common.KubeVersion",
      {
        Version: bytesOf(given),
        Major: major,
        Minor: minor,
        GitVersion: { method: fixed([], () => bytesOf(given)) },
        String: { method: fixed([], () => bytesOf(plain)) },
      },
      bytesOf(plain),
    ),
    APIVersions: new VersionSet(served, "string"),
    HelmVersion: new Struct("version.BuildInfo", {
      Version: HELM_VERSION,
      GitCommit: "",
      GitTreeState: "",
      GoVersion: "",
      KubeClientVersion: "v1.35",
    }),
  });
}
