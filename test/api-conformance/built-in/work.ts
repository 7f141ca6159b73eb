import { type Judged, of } from "./object.ts";

const labels = { app: "a" };
const selector = { matchLabels: labels };
const podSpec = { containers: [{ name: "c", image: "i" }] };
const template = { metadata: { labels }, spec: podSpec };
const once = { spec: { ...podSpec, restartPolicy: "Never" } };

const budget = (spec: object): Judged =>
  of("policy/v1", "PodDisruptionBudget", { spec: { selector, ...spec } });
const cron = (spec: object, name = "a"): Judged =>
  of(
    "batch/v1",
    "CronJob",
    { spec: { schedule: "* * * * *", jobTemplate: { spec: { template: once } }, ...spec } },
    name,
  );
const at = (schedule: string): Judged => cron({ schedule });
const job = (spec: object): Judged => of("batch/v1", "Job", { spec: { template: once, ...spec } });
const stateful = (spec: object, name = "a"): Judged =>
  of("apps/v1", "StatefulSet", { spec: { serviceName: "a", selector, template, ...spec } }, name);
const deployment = (spec: object): Judged =>
  of("apps/v1", "Deployment", { spec: { selector, template, ...spec } });
const daemons = (spec: object): Judged =>
  of("apps/v1", "DaemonSet", { spec: { selector, template, ...spec } });
const replicas = (spec: object): Judged =>
  of("apps/v1", "ReplicaSet", { spec: { selector, template, ...spec } });
/** A template whose container mounts that volume. */
const mounting = (name: string) => ({
  metadata: { labels },
  spec: { containers: [{ name: "a", image: "a", volumeMounts: [{ name, mountPath: "/data" }] }] },
});
const never = { metadata: { labels }, spec: { ...podSpec, restartPolicy: "Never" } };

const schedules: Readonly<Record<string, Judged>> = Object.fromEntries(
  [
    "* * * *",
    "* * * * * *",
    "",
    "*/0 * * * *",
    "60 * * * *",
    "5-1 * * * *",
    "a * * * *",
    "0 0 * * MON",
    "0 0 * * mon-fri",
    "0 0 1 JAN *",
    "0 0 31 2 *",
    "0 0 * * 7",
    "0 24 * * *",
    "0 0 0 * *",
    "0 0 1 13 *",
    "1,2,61 * * * *",
    "*/15,30 * * * *",
    "1-10/3 * * * *",
    "1/2/3 * * * *",
    "1-2-3 * * * *",
    "? * ? * ?",
    "-5 * * * *",
    "*/61 * * * *",
    "@daily",
    "@weird",
    "@every 1h30m",
    "@every x",
    "TZ=UTC * * * * *",
    "CRON_TZ=UTC * * * * *",
    "* * * * * ",
  ].map((schedule) => [`a CronJob at ${JSON.stringify(schedule)}`, at(schedule)]),
);

/** Budgets and workloads, good and bad. */
export const work: Readonly<Record<string, Judged>> = {
  "a budget with both limits": budget({ minAvailable: 1, maxUnavailable: 1 }),
  "a budget of a word": budget({ minAvailable: "x" }),
  "a budget of too much": budget({ minAvailable: "101%" }),
  "a budget of less than nothing": budget({ maxUnavailable: -1 }),
  "a budget of less than no share": budget({ maxUnavailable: "-1%" }),
  "a budget of nothing": budget({}),
  "a budget with an unknown policy": budget({ minAvailable: 1, unhealthyPodEvictionPolicy: "Perhaps" }),
  "a budget with a bad selector": budget({ minAvailable: 1, selector: { matchLabels: { "a b": "c" } } }),
  "a budget with a selector of no values": budget({
    minAvailable: 1,
    selector: { matchExpressions: [{ key: "a", operator: "NotIn", values: [] }] },
  }),
  "a budget with a selector of too many values": budget({
    minAvailable: 1,
    selector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] },
  }),

  ...schedules,
  "a CronJob in no zone": cron({ timeZone: "Nope/X" }),
  "a CronJob in a zone": cron({ timeZone: "Europe/Berlin" }),
  "a CronJob in an empty zone": cron({ timeZone: "" }),
  "a CronJob in the server's zone": cron({ timeZone: "Local" }),
  "a CronJob with two zones": cron({ schedule: "TZ=UTC * * * * *", timeZone: "UTC" }),
  "a CronJob with an unknown policy": cron({ concurrencyPolicy: "Maybe" }),
  "a CronJob with less than no history": cron({ successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
  "a CronJob with a deadline before": cron({ startingDeadlineSeconds: -1 }),
  "a CronJob with a long name": cron({}, "a".repeat(53)),
  "a CronJob with a selector": cron({
    jobTemplate: { spec: { template: once, selector: { matchLabels: labels } } },
  }),
  "a CronJob that selects by hand": cron({ jobTemplate: { spec: { template: once, manualSelector: true } } }),
  "a CronJob that always restarts": cron({ jobTemplate: { spec: { template: { spec: podSpec } } } }),

  "a Job without a count of its indexes": job({ completionMode: "Indexed" }),
  "an indexed Job": job({ completionMode: "Indexed", completions: 2 }),
  "a Job of an unknown mode": job({ completionMode: "Odd" }),
  "a Job with too many at once": job({ completionMode: "Indexed", completions: 2, parallelism: 100001 }),
  "a Job with limits by index": job({ backoffLimitPerIndex: 1 }),
  "a Job with failed indexes": job({ completionMode: "Indexed", completions: 3, maxFailedIndexes: 1 }),
  "a Job with a selector of its own": job({ selector: { matchLabels: labels } }),
  "a Job whose deadline is before": job({ activeDeadlineSeconds: -1, ttlSecondsAfterFinished: -1 }),

  "a StatefulSet that never restarts": stateful({ template: never }),
  "a StatefulSet of an unknown order": stateful({ podManagementPolicy: "Whatever" }),
  "a StatefulSet of an unknown roll-out": stateful({ updateStrategy: { type: "Recreate" } }),
  "a StatefulSet with a bad partition": stateful({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
  "a StatefulSet on delete with a partition": stateful({
    updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } },
  }),
  "a StatefulSet with a bad share": stateful({ updateStrategy: { rollingUpdate: { maxUnavailable: "x" } } }),
  "a StatefulSet with a bad number to start with": stateful({ ordinals: { start: -1 } }),
  "a StatefulSet with an unknown end of claims": stateful({
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Burn" },
  }),
  "a StatefulSet with a bad service": stateful({ serviceName: "a_b" }),
  "a StatefulSet with less than no history": stateful({ revisionHistoryLimit: -1 }),
  "a StatefulSet with a deadline": stateful({
    template: { metadata: { labels }, spec: { ...podSpec, activeDeadlineSeconds: 5 } },
  }),
  "a StatefulSet with dots in its name": stateful({}, "a.b"),
  "a StatefulSet that mounts its claims": stateful({
    template: mounting("data"),
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ],
  }),
  "a StatefulSet that mounts what there is not": stateful({ template: mounting("nothing") }),
  "a StatefulSet without containers": stateful({
    template: { metadata: { labels }, spec: { containers: [] } },
  }),
  "a StatefulSet with a container without an image": stateful({
    template: { metadata: { labels }, spec: { containers: [{ name: "a" }] } },
  }),

  "a Deployment with no time to progress": deployment({ minReadySeconds: 600, progressDeadlineSeconds: 60 }),
  "a Deployment with equal times": deployment({ minReadySeconds: 60, progressDeadlineSeconds: 60 }),
  "a Deployment with less than no history": deployment({ revisionHistoryLimit: -1 }),
  "a Deployment that may do nothing": deployment({
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
  }),
  "a Deployment with too large a share": deployment({
    strategy: { rollingUpdate: { maxUnavailable: "150%" } },
  }),
  "a Deployment with a share that is none": deployment({ strategy: { rollingUpdate: { maxSurge: "x" } } }),
  "a Deployment with less than no surge": deployment({ strategy: { rollingUpdate: { maxSurge: -1 } } }),
  "a Deployment of an unknown strategy": deployment({ strategy: { type: "Odd" } }),
  "a Deployment with a bad selector": deployment({ selector: { matchLabels: { app: "a", "x y": "z" } } }),
  "a Deployment with a deadline": deployment({
    template: { metadata: { labels }, spec: { ...podSpec, activeDeadlineSeconds: 5 } },
  }),
  "a Deployment with bad labels in its template": deployment({
    template: { metadata: { labels: { app: "a", "x y": "z" } }, spec: podSpec },
  }),
  "a DaemonSet that never restarts": daemons({ template: never }),
  "a DaemonSet that may do nothing": daemons({
    updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } },
  }),
  "a DaemonSet that may do both": daemons({
    updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
  }),
  "a DaemonSet of an unknown roll-out": daemons({ updateStrategy: { type: "Odd" } }),
  "a ReplicaSet that never restarts": replicas({ template: never }),
  "a DaemonSet without a selector": daemons({ selector: {} }),
  "a StatefulSet without a selector": stateful({ selector: {} }),
  "a ReplicaSet without a selector": replicas({ selector: {} }),
};
