import type { RawMetadata } from "../../../../shared/kube/object.ts";

type Annotated = { readonly metadata: Pick<RawMetadata, "annotations"> };

/** On a manifest, `true` in any case: made where it is absent, never updated. */
export const CREATE_ONLY = "release.openshift.io/create-only";
/** On a manifest, exactly `true`: what it names is to go. */
export const DELETE = "release.openshift.io/delete";
/** On a workload: the containers, by name and separated by commas, that are told the cluster's proxy. */
export const INJECT_PROXY = "config.openshift.io/inject-proxy";
/** On an object, `true`: the service CA operator writes its CA bundle. */
export const INJECT_CA_BUNDLE = "service.beta.openshift.io/inject-cabundle";

export const isCreateOnly = ({ metadata }: Annotated): boolean =>
  metadata.annotations?.[CREATE_ONLY]?.toLowerCase() === "true";

/** Whether the task of this manifest has to know the cluster's proxy. */
export const wantsProxy = ({ metadata }: Annotated): boolean =>
  metadata.annotations?.[INJECT_PROXY] !== undefined;

/** Whether an object's CA bundle is another's to write. */
export const hasInjectedCaBundle = ({ metadata }: Annotated): boolean =>
  metadata.annotations?.[INJECT_CA_BUNDLE] === "true";
