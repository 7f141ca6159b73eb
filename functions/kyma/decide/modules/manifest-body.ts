import type { Obj, OwnedBody } from "../../../../shared/function/index.ts";
import {
  ANNOTATIONS,
  type CustomResourcePolicy,
  type EmbeddedObject,
  type Kyma,
  LABELS,
  type Manifest,
  type ModuleTemplate,
  RUNTIME_NAMESPACE,
  type WrittenRequirement,
} from "../../kinds/index.ts";
import type { Component } from "../../ports/components/index.ts";
import { dependencyAnnotations } from "../dependencies/index.ts";
import { manifestName } from "../manifest/index.ts";

/** A version of a module as it is to be installed. */
export interface Installation {
  readonly module: string;
  /** Undefined: it follows none. */
  readonly channel: string | undefined;
  readonly version: string;
  readonly component: Component;
  readonly template: Pick<Obj<typeof ModuleTemplate>, "metadata" | "spec">;
  readonly customResourcePolicy: CustomResourcePolicy;
  /** True for a module that each cluster gets. */
  readonly mandatory: boolean;
  readonly requires: readonly WrittenRequirement[];
}

/** The Manifest of a module of a Kyma. */
export function manifestOf(
  { metadata: kyma }: Pick<Obj<typeof Kyma>, "metadata">,
  { module, channel, version, component, template, customResourcePolicy, mandatory, requires }: Installation,
): OwnedBody<typeof Manifest> {
  const name = manifestName(kyma.name, component.name, module);
  const runtimeId = kyma.labels[LABELS.runtimeId];
  const { manager, trustedHandler } = template.spec ?? {};
  const resource = defaultObject(template, name);
  return {
    metadata: {
      name,
      labels: {
        [LABELS.kymaName]: kyma.name,
        [LABELS.moduleName]: module,
        [LABELS.managedBy]: "lifecycle-manager",
        ...(runtimeId && { [LABELS.runtimeId]: runtimeId }),
        ...(channel !== undefined && { [LABELS.channel]: channel }),
        ...(mandatory && { [LABELS.mandatoryModule]: "true" }),
      },
      annotations: {
        [ANNOTATIONS.ocmComponentName]: component.name,
        [ANNOTATIONS.fqdn]: component.name,
        ...dependencyAnnotations(requires, template.spec?.provides ?? []),
        ...(trustedHandler !== undefined && { [ANNOTATIONS.trustedHandler]: trustedHandler }),
      },
    },
    spec: {
      remote: true,
      version,
      install: { name: "raw-manifest", source: { ...component.source } },
      customResourcePolicy,
      ...(resource !== undefined && { resource }),
      ...(component.localizedImages.length > 0 && { localizedImages: [...component.localizedImages] }),
      ...(manager !== undefined && { manager }),
    },
  };
}

/** The default configuration object of a version, with the name and namespace that it gets where it names none. */
export function defaultObject(
  { metadata, spec }: Installation["template"],
  manifest: string,
): EmbeddedObject | undefined {
  const data = spec?.data;
  if (data === undefined) return undefined;
  const { name, namespace, ...rest } = data.metadata ?? {};
  const hasNone = metadata.annotations[ANNOTATIONS.isClusterScoped]?.toLowerCase() === "true";
  return {
    ...data,
    metadata: {
      ...rest,
      name: name || manifest,
      ...(!hasNone && { namespace: namespace || RUNTIME_NAMESPACE }),
    },
  };
}
