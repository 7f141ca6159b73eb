import type { SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { fieldsOf, textOf } from "../../../../shared/json/fields.ts";
import { servedVersion } from "../apply/index.ts";
import type { AddonObjects } from "../values/values.ts";

/** The reads of the objects that values templates see. */
export interface ValuesReads {
  object(at: SlotPlace): Promise<object | undefined>;
  knows(what: Pick<SlotPlace, "apiVersion" | "kind">): Promise<unknown>;
}

/** The live objects that values templates see, or the one that is missing. */
export type FoundValuesObjects = ({ readonly objects: AddonObjects } | { readonly missing: string }) & {
  /** The places of those that are named: a change there may change the values. */
  readonly places: readonly SlotPlace[];
};

/** References of later versions of Cluster API name a group alone: the version is the best that the server has. */
const VERSIONS = ["v1beta2", "v1beta1", "v1", "v1alpha4", "v1alpha3"] as const;

/** Reads a Cluster, its control plane and its infrastructure, whole. */
export async function valuesObjects(at: SlotPlace, reads: ValuesReads): Promise<FoundValuesObjects> {
  const read = await whereAdmitted(() => reads.object(at));
  if ("refused" in read) return { missing: `Cluster ${at.name} cannot be read: ${read.refused}`, places: [] };
  const { value: Cluster } = read;
  if (Cluster === undefined) return { missing: `Cluster ${at.name}`, places: [at] };
  const { controlPlaneRef, infrastructureRef } = fieldsOf(fieldsOf(Cluster).spec);
  const [ControlPlane, InfraCluster] = await Promise.all([
    referred(controlPlaneRef, "spec.controlPlaneRef", at, reads),
    referred(infrastructureRef, "spec.infrastructureRef", at, reads),
  ]);
  const places = [at, ...[ControlPlane, InfraCluster].flatMap(({ place }) => place ?? [])];
  const missing = [ControlPlane, InfraCluster].flatMap((one) => one.missing ?? [])[0];
  if (missing !== undefined) return { missing, places };
  return {
    objects: {
      Cluster: fieldsOf(Cluster),
      ControlPlane: fieldsOf(ControlPlane.found),
      InfraCluster: fieldsOf(InfraCluster.found),
    },
    places,
  };
}

interface Referred {
  readonly found?: object;
  readonly missing?: string;
  readonly place?: SlotPlace;
}

/** A Cluster without such a reference has no such object: its template prints no value for it. */
async function referred(
  reference: unknown,
  field: string,
  of: SlotPlace,
  reads: ValuesReads,
): Promise<Referred> {
  const { apiVersion, apiGroup, kind, name, namespace } = fieldsOf(reference);
  if (textOf(kind) === "" || textOf(name) === "") return {};
  const found = await versioned(textOf(apiVersion), textOf(apiGroup), textOf(kind), reads);
  const what = `${textOf(kind)} ${textOf(name)}, which ${field} names,`;
  if (found === undefined) return { missing: what };
  const place = {
    ...{ apiVersion: found, kind: textOf(kind), name: textOf(name) },
    namespace: textOf(namespace) || of.namespace,
  };
  const read = await whereAdmitted(() => reads.object(place));
  if ("refused" in read) return { missing: `${what} cannot be read: ${read.refused}` };
  return read.value === undefined ? { missing: what, place } : { found: read.value, place };
}

async function versioned(
  apiVersion: string,
  apiGroup: string,
  kind: string,
  reads: ValuesReads,
): Promise<string | undefined> {
  if (apiVersion !== "") return apiVersion;
  return servedVersion({ group: apiGroup, kind }, VERSIONS, (what) => reads.knows(what));
}
