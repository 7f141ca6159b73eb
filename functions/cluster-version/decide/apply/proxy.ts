import { fieldOf, fieldsOf, isRecord, listOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { INJECT_PROXY } from "./annotations.ts";
import type { ApplyFault, ClusterProxy } from "./verdict.ts";

/** Without a proxy the containers stay as they are. */
function variablesOf({ httpProxy = "", httpsProxy = "", noProxy = "" }: ClusterProxy): readonly unknown[] {
  if (httpProxy === "" && httpsProxy === "" && noProxy === "") return [];
  return [
    { name: "HTTP_PROXY", value: httpProxy },
    { name: "HTTPS_PROXY", value: httpsProxy },
    { name: "NO_PROXY", value: noProxy },
  ];
}

/** A manifest whose named containers are told the cluster's proxy. A name that no container has is an error. */
export function withProxy(
  manifest: KubeObject,
  proxy: ClusterProxy = {},
): { readonly manifest: KubeObject } | { readonly fault: ApplyFault } {
  const annotation = manifest.metadata.annotations?.[INJECT_PROXY];
  const spec = fieldsOf(manifest.spec);
  const template = fieldsOf(spec.template);
  if (annotation === undefined || !isRecord(template.spec)) return { manifest };
  const pod = template.spec;
  const names = annotation.split(",");
  const containers = [...listOf(pod.containers), ...listOf(pod.initContainers)];
  const unknown = names.filter((name) => !containers.some((one) => fieldOf(one, "name") === name));
  if (unknown.length > 0)
    return { fault: { message: `requested injection for non-existent containers: ${unknown.join(", ")}` } };
  const variables = variablesOf(proxy);
  if (variables.length === 0) return { manifest };
  const told = (container: unknown): unknown =>
    isRecord(container) && names.some((name) => name === container.name)
      ? { ...container, env: [...listOf(container.env), ...variables] }
      : container;
  const injected = Object.fromEntries(
    ["containers", "initContainers"].flatMap((list) =>
      Array.isArray(pod[list]) ? [[list, pod[list].map(told)]] : [],
    ),
  );
  const injectedTemplate = { ...template, spec: { ...pod, ...injected } };
  return { manifest: { ...manifest, spec: { ...spec, template: injectedTemplate } } };
}
