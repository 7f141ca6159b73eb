/**
 * The API server's own kinds.
 *
 * @module reveille/kinds
 */
export { ClusterRole } from "./cluster-role.ts";
export { ClusterRoleBinding } from "./cluster-role-binding.ts";
export { ConfigMap } from "./config-map.ts";
export { CronJob } from "./cron-job.ts";
export { CustomResourceDefinition } from "./custom-resource-definition.ts";
export { DaemonSet } from "./daemon-set.ts";
export { Deployment } from "./deployment.ts";
export { Event } from "./event.ts";
export { Ingress } from "./ingress.ts";
export { Job } from "./job.ts";
export { Lease } from "./lease.ts";
export { Namespace } from "./namespace.ts";
export { Node } from "./node.ts";
export { PersistentVolumeClaim } from "./persistent-volume-claim.ts";
export { Pod } from "./pod.ts";
export { ReplicaSet } from "./replica-set.ts";
export { Role } from "./role.ts";
export { RoleBinding } from "./role-binding.ts";
export { Secret } from "./secret.ts";
export { Service } from "./service.ts";
export { ServiceAccount } from "./service-account.ts";
export { StatefulSet } from "./stateful-set.ts";
