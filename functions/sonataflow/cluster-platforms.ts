import { all, changed, type Duration, ready } from "../../shared/function/index.ts";
import { configuration } from "./configuration.ts";
import { verdict } from "./decide/objects/conditions.ts";
import { news } from "./decide/objects/news.ts";
import { isHandled } from "./decide/objects/ownership.ts";
import { referencedBy } from "./decide/platform/active-platform.ts";
import { clusterRows, clusterStatus } from "./decide/platform/cluster-platform-status.ts";
import { isUnreadyOtherwise } from "./decide/platform/platform-wakes.ts";
import { ClusterPlatform, Platform } from "./kinds/index.ts";
import { PREDECESSOR_MANAGERS } from "./kinds/predecessor.ts";

/** Decides which cluster platform is active, and says of every other one why it is not (3.2). */
export const clusterPlatforms = all(ClusterPlatform).function({
  name: "sonataflow-cluster-platforms",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    // The platform that one points at became ready, or is lost.
    ready(Platform).toEvery(),
    changed(Platform).toEvery({ when: isUnreadyOtherwise }),
  ],
  verbs: { SonataFlowClusterPlatform: ["list"], SonataFlowPlatform: ["get"] },
  observe: async ({ members, read, config }) => {
    const handled = members.filter(isHandled(config.operatorId));
    const platforms = await Promise.all(referencedBy(handled).map((ref) => read.get(Platform, ref)));
    return { handled, platforms: platforms.filter((platform) => platform !== undefined) };
  },
  reconcile: ({ handled, platforms }, { now, config }) => {
    const { rows, graceEnds } = clusterRows(handled, platforms, config.gracePeriod as Duration, now);
    return {
      effects: rows.flatMap(({ cluster, said }) => news(cluster, "Succeed", said)),
      // The loser before the winner: nobody sees two, whoever reads in between computes the same winner.
      status: rows.map(({ cluster, status }) => ({ of: cluster, status })),
      ...(graceEnds !== undefined && { wakeAt: { grace: graceEnds } }),
    };
  },
  failed: ({ members }, { message }, { now, config }) =>
    members.filter(isHandled(config.operatorId)).map((cluster) => ({
      of: cluster,
      status: clusterStatus(cluster, verdict("False", "Failure", message), now),
    })),
});
