import type { RawMetadata } from "../../../../shared/kube/object.ts";

type Annotated = { readonly metadata: Pick<RawMetadata, "annotations"> };

/** An annotation of a manifest; `true` in any case: its object is made where it is absent, never updated. */
const CREATE_ONLY = "release.openshift.io/create-only";
/** An annotation of a manifest; exactly `true`: its object is to go. */
export const DELETE = "release.openshift.io/delete";
/** An annotation of a workload: the containers, by name and separated by commas, that are given the cluster's proxy. */
export const INJECT_PROXY = "config.openshift.io/inject-proxy";
/** An annotation of an object; `true`: the service CA operator writes its CA bundle. */
const INJECT_CA_BUNDLE = "service.beta.openshift.io/inject-cabundle";

export const isCreateOnly = ({ metadata }: Annotated): boolean =>
  metadata.annotations?.[CREATE_ONLY]?.toLowerCase() === "true";

/** True where the task of this manifest has to know the cluster's proxy. */
export const wantsProxy = ({ metadata }: Annotated): boolean =>
  metadata.annotations?.[INJECT_PROXY] !== undefined;

/** True where another operator writes the object's CA bundle. */
export const hasInjectedCaBundle = ({ metadata }: Annotated): boolean =>
  metadata.annotations?.[INJECT_CA_BUNDLE] === "true";
