import { type Fields, fieldsOf, isRecord } from "../../../../shared/json/fields.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";

const OF_WORKLOAD = ["spec", "template"] as const;
const OF_CRON_JOB = ["spec", "jobTemplate", "spec", "template"] as const;

/** The groups that the built-in workloads lie in, or have lain in. */
const GROUPS = new Set(["", "apps", "batch", "extensions"]);
const PLACES: Readonly<Record<string, readonly string[]>> = {
  StatefulSet: OF_WORKLOAD,
  Deployment: OF_WORKLOAD,
  ReplicaSet: OF_WORKLOAD,
  ReplicationController: OF_WORKLOAD,
  DaemonSet: OF_WORKLOAD,
  Job: OF_WORKLOAD,
  CronJob: OF_CRON_JOB,
};

/** The path of the pod template of a workload; undefined for what has none. */
export function podTemplatePath({ apiVersion, kind }: KubeObject): readonly string[] | undefined {
  return GROUPS.has(parseApiVersion(apiVersion).group) ? PLACES[kind] : undefined;
}

/** The pod template of a workload; undefined for what has none, or leaves it out. */
export function podTemplateOf(object: KubeObject): Fields | undefined {
  const found = podTemplatePath(object)?.reduce<unknown>((value, field) => fieldsOf(value)[field], object);
  return isRecord(found) ? found : undefined;
}

/** The fields with what lies at the path changed; maps that lack on the way are made. */
export function changedAt<T extends Fields>(
  fields: T,
  path: readonly string[],
  change: (value: Fields) => Fields,
): T {
  const [field, ...rest] = path;
  if (field === undefined) return change(fields) as T;
  return { ...fields, [field]: changedAt(fieldsOf(fields[field]), rest, change) };
}
