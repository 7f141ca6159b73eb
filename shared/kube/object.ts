/** JSON as the Kubernetes API speaks it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** One entry of `metadata.managedFields`: which fields one field manager owns. */
export interface ManagedFields {
  readonly manager?: string | undefined;
  readonly operation?: "Apply" | "Update" | undefined;
  readonly apiVersion?: string | undefined;
  readonly time?: string | undefined;
  readonly fieldsType?: string | undefined;
  readonly fieldsV1?: Readonly<Record<string, unknown>> | undefined;
  readonly subresource?: string | undefined;
}

/** Metadata as it travels: what the server has not set is absent. */
export interface RawMetadata {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly generateName?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  readonly creationTimestamp?: string | null | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
  readonly managedFields?: readonly ManagedFields[] | undefined;
}

/** An object as the API server sent it, unparsed. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: RawMetadata;
  readonly [field: string]: unknown;
}

/** `v1` or `apps/v1`. */
export const apiVersionOf = ({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string => (group === "" ? version : `${group}/${version}`);

/** The reverse of `apiVersionOf`. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  return slash < 0
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}
