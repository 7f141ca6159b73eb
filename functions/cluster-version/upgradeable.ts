import { changed, each } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { ADMIN_ACKS, ADMIN_GATES } from "./decide/release/admin-config-maps.ts";
import { pendingDeletions, readWork, WORK_RECORD } from "./decide/sync/work-record.ts";
import { ClusterOperator, ClusterVersion } from "./kinds/index.ts";
import { setCondition } from "./status/index.ts";

export { ADMIN_ACKS, ADMIN_GATES };

import { CLUSTER_VERSION, isTheClusterVersion } from "./decide/release/the-cluster-version.ts";
import { upgradeableVerdict, upgradeRisks } from "./decide/release/upgradeable-sources.ts";

const SOURCES = [ADMIN_GATES, ADMIN_ACKS, WORK_RECORD];

/** Says whether anything speaks against an update to another minor or major version (4.9). No condition: nothing does. */
export const upgradeable = each(ClusterVersion, { status: ["conditions.Upgradeable"] }).function({
  name: "cluster-version-upgradeable",
  wakes: [
    changed(ClusterOperator).toEvery({
      when: ({ upgradeable, upgradeableReason, upgradeableMessage, was, gone }) =>
        gone ||
        was === undefined ||
        was.upgradeable !== upgradeable ||
        was.upgradeableReason !== upgradeableReason ||
        was.upgradeableMessage !== upgradeableMessage,
    }),
    changed(ConfigMap).toName<typeof ClusterVersion>((it) =>
      SOURCES.some(({ name, namespace }) => it.name === name && it.namespace === namespace)
        ? { name: CLUSTER_VERSION }
        : undefined,
    ),
  ],
  observe: async ({ self, read }) => {
    const [operators, gates, acks, work] = await Promise.all([
      read.list(ClusterOperator),
      read.get(ConfigMap, ADMIN_GATES),
      read.get(ConfigMap, ADMIN_ACKS),
      read.get(ConfigMap, WORK_RECORD),
    ]);
    const record = readWork(work);
    return {
      operators,
      adminGates: gates === undefined ? undefined : (gates.data ?? {}),
      adminAcks: acks?.data,
      deletions: record?.uid === self.metadata.uid ? pendingDeletions(record) : [],
    };
  },
  reconcile: ({ self, ...world }, { now }) => {
    if (!isTheClusterVersion(self)) return {};
    if (self.status?.desired === undefined)
      return { waitingFor: [{ for: "the release that the cluster runs" }] };
    const verdict = upgradeableVerdict(upgradeRisks({ clusterVersion: self, ...world }));
    const stored = storedCondition(self);
    return {
      status: {
        conditions:
          verdict === undefined ? [] : [...setCondition(stored, { type: "Upgradeable", ...verdict }, now)],
      },
    };
  },
  failed: (subject, { message }, { now }) => {
    // Before there is a status with the rest of what the schema requires, the server would refuse this part.
    if (subject.self.status?.desired === undefined) return undefined;
    const unknown = { type: "Upgradeable", status: "Unknown", reason: "EvaluationFailed", message } as const;
    return { conditions: [...setCondition(storedCondition(subject.self), unknown, now)] };
  },
});

type ClusterVersionStatus = NonNullable<ClusterVersion["status"]>;
type StoredCondition = NonNullable<ClusterVersionStatus["conditions"]>[number] & { type: "Upgradeable" };
const storedCondition = ({ status }: ClusterVersion): readonly StoredCondition[] =>
  (status?.conditions ?? []).flatMap((one) =>
    one.type === "Upgradeable" ? [{ ...one, type: one.type }] : [],
  );
