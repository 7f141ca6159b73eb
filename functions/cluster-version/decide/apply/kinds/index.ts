import { type KubeObject, parseApiVersion } from "../../../../../shared/kube/object.ts";
import * as policies from "../defaults/policies.ts";
import { claimed, configMap, namespace, service, serviceAccount } from "./core.ts";
import { customResourceDefinition } from "./custom-resource-definition.ts";
import { genericRule } from "./generic.ts";
import type { KindRule } from "./kind-rule.ts";
import { clusterOperator, imageStream, securityContextConstraints } from "./openshift.ts";
import { binding, clusterRole, role } from "./rbac.ts";
import { cronJob, daemonSet, deployment, job } from "./workloads.ts";

/** The rules by group and kind: the version makes no difference. */
const RULES: Readonly<Record<string, KindRule>> = {
  "/Namespace": namespace,
  "/ServiceAccount": serviceAccount,
  "/ConfigMap": configMap,
  "/Service": service,
  "/PersistentVolume": claimed,
  "/PersistentVolumeClaim": claimed,
  "/Pod": claimed,
  "apps/Deployment": deployment,
  "apps/DaemonSet": daemonSet,
  "batch/Job": job,
  "batch/CronJob": cronJob,
  "apiextensions.k8s.io/CustomResourceDefinition": customResourceDefinition,
  "rbac.authorization.k8s.io/Role": role,
  "rbac.authorization.k8s.io/ClusterRole": clusterRole,
  "rbac.authorization.k8s.io/RoleBinding": binding,
  "rbac.authorization.k8s.io/ClusterRoleBinding": binding,
  "image.openshift.io/ImageStream": imageStream,
  "security.openshift.io/SecurityContextConstraints": securityContextConstraints,
  "config.openshift.io/ClusterOperator": clusterOperator,
  // Generic, with defaults that are known.
  "/Secret": genericRule(policies.secret, policies.secretBytes),
  "apps/StatefulSet": genericRule(policies.statefulSet),
  "networking.k8s.io/NetworkPolicy": genericRule(policies.networkPolicy),
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": genericRule(policies.validatingWebhooks),
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": genericRule(policies.mutatingWebhooks),
  "flowcontrol.apiserver.k8s.io/FlowSchema": genericRule(policies.flowSchema),
  "scheduling.k8s.io/PriorityClass": genericRule(policies.priorityClass),
  "storage.k8s.io/StorageClass": genericRule(policies.storageClass),
  "apiregistration.k8s.io/APIService": genericRule(policies.apiService),
};
const ANY_OTHER = genericRule();

/** The rule by which manifests of that kind are applied. */
export const ruleOf = ({ apiVersion, kind }: KubeObject): KindRule =>
  RULES[`${parseApiVersion(apiVersion).group}/${kind}`] ?? ANY_OTHER;
