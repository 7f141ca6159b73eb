import * as z from "zod";
import * as affinity from "../../../shared/kube/schema/affinity.ts";
import * as claim from "../../../shared/kube/schema/claim.ts";
import * as claimStatus from "../../../shared/kube/schema/claim-status.ts";
import * as container from "../../../shared/kube/schema/container.ts";
import * as core from "../../../shared/kube/schema/core.ts";
import * as definition from "../../../shared/kube/schema/crd-object.ts";
import * as env from "../../../shared/kube/schema/env.ts";
import * as jobs from "../../../shared/kube/schema/jobs.ts";
import * as lease from "../../../shared/kube/schema/lease.ts";
import * as networking from "../../../shared/kube/schema/networking.ts";
import * as node from "../../../shared/kube/schema/node.ts";
import { ManagedFieldsEntry, OwnerReference, objectMeta } from "../../../shared/kube/schema/object-meta.ts";
import * as podSpec from "../../../shared/kube/schema/pod-spec.ts";
import * as podStatus from "../../../shared/kube/schema/pod-status.ts";
import * as probes from "../../../shared/kube/schema/probes.ts";
import * as projections from "../../../shared/kube/schema/projections.ts";
import * as rbac from "../../../shared/kube/schema/rbac.ts";
import * as references from "../../../shared/kube/schema/references.ts";
import * as resources from "../../../shared/kube/schema/resources.ts";
import * as security from "../../../shared/kube/schema/security.ts";
import * as selectors from "../../../shared/kube/schema/selectors.ts";
import * as service from "../../../shared/kube/schema/service.ts";
import * as plugins from "../../../shared/kube/schema/volume-plugins.ts";
import * as volumes from "../../../shared/kube/schema/volumes.ts";
import * as workloads from "../../../shared/kube/schema/workloads.ts";
import * as admission from "./schema/admission.ts";
import * as autoscaling from "./schema/autoscaling.ts";
import * as endpoints from "./schema/endpoints.ts";
import * as persistentVolume from "./schema/persistent-volume.ts";
import * as policy from "./schema/policy.ts";
import * as quota from "./schema/quota.ts";
import * as storage from "./schema/storage.ts";

const modules: readonly Readonly<Record<string, unknown>>[] = [
  ...[
    affinity,
    claim,
    claimStatus,
    container,
    core,
    definition,
    env,
    jobs,
    lease,
    podSpec,
    podStatus,
    probes,
  ],
  ...[projections, rbac, references, resources, security, selectors, service, plugins, volumes, workloads],
  ...[admission, autoscaling, endpoints, networking, node, persistentVolume, policy, quota, storage],
  { ManagedFieldsEntry, OwnerReference, ObjectMeta: objectMeta },
];

let names: Map<unknown, string> | undefined;

/** The name that the Kubernetes API gives a type: the name under which its schema is exported. */
export function typeNameOf(schema: z.core.$ZodType): string | undefined {
  names ??= new Map(
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, one]) =>
        one instanceof z.ZodObject ? [[one._zod.def, name] as const] : [],
      ),
    ),
  );
  // `.describe()` and `.meta()` copy a schema but not its definition.
  return names.get(schema._zod.def);
}
