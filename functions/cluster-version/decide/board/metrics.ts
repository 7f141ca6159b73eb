import { statusOf } from "../../status/index.ts";
import type { BoardCondition, BoardOperator } from "./board.ts";

/** The part of a ClusterVersion that the metrics read; an object as the API server gives it fits. */
export interface MeasuredVersion {
  readonly metadata: { readonly creationTimestamp?: string | undefined };
  readonly spec: {
    readonly channel?: string | undefined;
    readonly upstream?: string | undefined;
    readonly desiredUpdate?:
      | { readonly version?: string | undefined; readonly image?: string | undefined }
      | undefined;
  };
  readonly status?:
    | {
        readonly desired?: { readonly version: string; readonly image: string } | undefined;
        readonly history?: readonly MeasuredEntry[] | undefined;
        readonly conditions?: readonly BoardCondition[] | undefined;
        readonly availableUpdates?: readonly unknown[] | null | undefined;
        readonly capabilities?:
          | {
              readonly enabledCapabilities?: readonly string[] | undefined;
              readonly knownCapabilities?: readonly string[] | undefined;
            }
          | undefined;
      }
    | undefined;
}
export interface MeasuredEntry {
  readonly state: string;
  readonly version?: string | undefined;
  readonly image: string;
  readonly startedTime?: string | undefined;
  readonly completionTime?: string | null | undefined;
}

/** One line of a scrape. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Upstream's metrics by name: what they tell, and their labels. All are gauges. */
export const METRICS = {
  cluster_version: {
    help: "The versions that this cluster had, has or moves to, with the Unix time that goes with the type",
    labels: ["type", "version", "image", "from_version"],
  },
  cluster_operator_up: {
    help: "1 where the operator is Available, else 0",
    labels: ["name", "version", "reason"],
  },
  cluster_operator_conditions: {
    help: "1 where the condition is True, 0 where it is False; left out where it is Unknown",
    labels: ["name", "condition", "reason"],
  },
  cluster_operator_condition_transitions: {
    help: "How often a condition was seen to change since this process started",
    labels: ["name", "condition"],
  },
  cluster_version_available_updates: {
    help: "How many updates are recommended",
    labels: ["upstream", "channel"],
  },
  cluster_version_capability: {
    help: "1 where the capability is enabled, 0 where it is only known",
    labels: ["name"],
  },
  cluster_version_payload: {
    help: "How many manifests of the payload are applied, and how many are pending",
    labels: ["version", "type"],
  },
} as const;
export type MetricName = keyof typeof METRICS;

/** The board at one moment. */
export interface Measured {
  readonly clusterVersion: MeasuredVersion | undefined;
  readonly operators: readonly BoardOperator[];
}

/** All samples of one scrape, except the transitions, which no single moment tells. The ClusterVersion counts as the operator `version`. */
export function samplesOf({
  clusterVersion,
  operators,
}: Measured): Readonly<
  Record<Exclude<MetricName, "cluster_operator_condition_transitions">, readonly Sample[]>
> {
  const lines = operators.map((operator) => ({
    name: operator.metadata.name,
    version: operator.status?.versions?.find(({ name }) => name === "operator")?.version ?? "",
    conditions: operator.status?.conditions ?? [],
  }));
  if (clusterVersion !== undefined)
    lines.push({
      name: "version",
      version: clusterVersion.status?.history?.find(({ state }) => state === "Completed")?.version ?? "",
      conditions: clusterVersion.status?.conditions ?? [],
    });
  return {
    cluster_operator_up: lines.map(upSample),
    cluster_operator_conditions: lines.flatMap(({ name, conditions }) => conditionSamples(name, conditions)),
    cluster_version: clusterVersion === undefined ? [] : versionSamples(clusterVersion),
    cluster_version_available_updates: clusterVersion === undefined ? [] : updateSamples(clusterVersion),
    cluster_version_capability: capabilitySamples(clusterVersion?.status?.capabilities),
    cluster_version_payload: clusterVersion === undefined ? [] : payloadSamples(clusterVersion),
  };
}

function upSample(line: {
  readonly name: string;
  readonly version: string;
  readonly conditions: readonly BoardCondition[];
}): Sample {
  const available = line.conditions.find(({ type }) => type === "Available");
  const reason = available === undefined ? "NoAvailableCondition" : (available.reason ?? "");
  const value = available?.status === "True" ? 1 : 0;
  return { labels: { name: line.name, version: line.version, reason }, value };
}

const conditionSamples = (name: string, conditions: readonly BoardCondition[]): readonly Sample[] =>
  conditions.flatMap(({ type, reason = "" }) => {
    const status = statusOf(conditions, type);
    return status === "Unknown"
      ? []
      : [{ labels: { name, condition: type, reason }, value: status === "True" ? 1 : 0 }];
  });

const unix = (time: string | null | undefined): number => {
  const milliseconds = Date.parse(time ?? "");
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
};

function versionSamples({ metadata, spec, status }: MeasuredVersion): readonly Sample[] {
  const history = status?.history ?? [];
  const completed = history.filter(({ state }) => state === "Completed");
  const from = completed[0]?.version ?? "";
  const created = unix(metadata.creationTimestamp);
  const initial = history.at(-1);
  const newest = history[0];
  const current = status?.desired;
  const wish = spec.desiredUpdate;
  const moving = wish?.image !== undefined && wish.image !== current?.image ? wish : undefined;
  const failing = status?.conditions?.find(({ type }) => type === "Failing");
  const sample = (
    type: string,
    of: { readonly version?: string | undefined; readonly image?: string | undefined } | undefined,
    fromVersion: string,
    value: number,
  ): readonly Sample[] =>
    of === undefined
      ? []
      : [
          {
            labels: { type, version: of.version ?? "", image: of.image ?? "", from_version: fromVersion },
            value,
          },
        ];
  const failed = failing?.status === "True" ? unix(failing.lastTransitionTime) : undefined;
  return [
    ...sample("initial", initial, "", created),
    ...sample("cluster", current, initial?.version ?? "", created),
    ...sample("current", current, from, unix(newest?.startedTime)),
    ...sample("desired", moving, from, latestTransition(status?.conditions)),
    ...(failed === undefined
      ? []
      : [...sample("failure", moving, from, failed), ...sample("failure", current, from, failed)]),
    ...(newest?.state === "Partial" ? sample("updating", newest, from, unix(newest.startedTime)) : []),
    ...sample("completed", completed[0], completed[1]?.version ?? "", unix(completed[0]?.completionTime)),
  ];
}

const latestTransition = (conditions: readonly BoardCondition[] | undefined): number =>
  Math.max(0, ...(conditions ?? []).map(({ lastTransitionTime }) => unix(lastTransitionTime)));

function updateSamples({ spec, status }: MeasuredVersion): readonly Sample[] {
  const known = status?.availableUpdates ?? [];
  const retrieved = statusOf(status?.conditions, "RetrievedUpdates") === "True";
  return known.length === 0 && !retrieved
    ? []
    : [
        {
          labels: { upstream: spec.upstream ?? "<default>", channel: spec.channel ?? "" },
          value: known.length,
        },
      ];
}

function capabilitySamples(
  capabilities: NonNullable<MeasuredVersion["status"]>["capabilities"],
): readonly Sample[] {
  const { enabledCapabilities: enabled = [], knownCapabilities: known = [] } = capabilities ?? {};
  return [...new Set([...known, ...enabled])]
    .sort()
    .map((name) => ({ labels: { name }, value: enabled.includes(name) ? 1 : 0 }));
}

/** The samples of the payload's work. The words of the status are all that others may know of it. */
function payloadSamples({ status }: MeasuredVersion): readonly Sample[] {
  const message = status?.conditions?.find(({ type }) => type === "Progressing")?.message ?? "";
  const [, done, total] = /: (\d+) of (\d+) done \(/.exec(message) ?? [];
  if (done === undefined || total === undefined) return [];
  const version = status?.desired?.version ?? "";
  return [
    { labels: { version, type: "pending" }, value: Number(total) - Number(done) },
    { labels: { version, type: "applied" }, value: Number(done) },
  ];
}

/** The conditions of an operator, as they are compared from one scrape to the next. */
export type Snapshot = ReadonlyMap<string, BoardCondition>;

/** `name/condition` → what it says now. */
export const snapshotOf = ({ clusterVersion, operators }: Measured): Snapshot =>
  new Map(
    [
      ...operators.map(({ metadata, status }) => ({
        name: metadata.name,
        conditions: status?.conditions ?? [],
      })),
      { name: "version", conditions: clusterVersion?.status?.conditions ?? [] },
    ].flatMap(({ name, conditions }) =>
      conditions.map((condition) => [`${name}/${condition.type}`, condition] as const),
    ),
  );

/**
 * The number of changes of each condition between two scrapes, as far as they tell: once where the status differs, twice where it
 * is the same again at a later time.
 */
export function transitionsBetween(before: Snapshot, now: Snapshot): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [key, condition] of now) {
    const old = before.get(key);
    if (old === undefined) continue;
    if (old.status !== condition.status) found.set(key, 1);
    else if (unix(condition.lastTransitionTime) > unix(old.lastTransitionTime)) found.set(key, 2);
  }
  return found;
}
