import { fieldOf, fieldsOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { podTemplateOf } from "./pod-template.ts";

/** An object whose data the pods of a workload see. */
export interface Dependency {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
}

/**
 * The ConfigMaps and Secrets that the pods of a workload mount, read as variables or pull images with, each once, by kind and
 * name. None for a Job, whose template cannot change.
 */
export function dependenciesOf(object: KubeObject): readonly Dependency[] {
  if (object.kind === "Job") return [];
  const spec = fieldOf(podTemplateOf(object), "spec");
  const found = [
    ...listOf(fieldOf(spec, "volumes")).flatMap(ofVolume),
    ...listOf(fieldOf(spec, "imagePullSecrets")).map((one) => secret(fieldOf(one, "name"))),
    ...["initContainers", "containers"].flatMap((field) => listOf(fieldOf(spec, field)).flatMap(ofContainer)),
  ].filter(({ name }) => name !== "");
  const byText = new Map(found.map((one) => [`${one.kind}/${one.name}`, one]));
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

const configMap = (name: unknown): Dependency => ({ kind: "ConfigMap", name: textOf(name) });
const secret = (name: unknown): Dependency => ({ kind: "Secret", name: textOf(name) });

function ofVolume(volume: unknown): readonly Dependency[] {
  const projected = listOf(fieldOf(fieldOf(volume, "projected"), "sources"));
  return [
    configMap(fieldOf(fieldOf(volume, "configMap"), "name")),
    secret(fieldOf(fieldOf(volume, "secret"), "secretName")),
    ...projected.flatMap((source) => [
      configMap(fieldOf(fieldOf(source, "configMap"), "name")),
      secret(fieldOf(fieldOf(source, "secret"), "name")),
    ]),
  ];
}

function ofContainer(container: unknown): readonly Dependency[] {
  const variables = listOf(fieldOf(container, "env")).map((one) => fieldsOf(fieldOf(one, "valueFrom")));
  return [
    ...variables.flatMap(({ configMapKeyRef, secretKeyRef }) => [
      configMap(fieldOf(configMapKeyRef, "name")),
      secret(fieldOf(secretKeyRef, "name")),
    ]),
    ...listOf(fieldOf(container, "envFrom")).flatMap((one) => [
      configMap(fieldOf(fieldOf(one, "configMapRef"), "name")),
      secret(fieldOf(fieldOf(one, "secretRef"), "name")),
    ]),
  ];
}
