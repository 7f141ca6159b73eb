import { allInNamespace, changed, type Duration } from "../../shared/function/index.ts";
import { ConfigMap, Deployment, Service } from "../../shared/kube/kinds/index.ts";
import { isDeleting } from "../../shared/kube/objects.ts";
import { configuration } from "./configuration.ts";
import { conditionOf } from "./decide/objects/conditions.ts";
import { news } from "./decide/objects/news.ts";
import { isHandled, isSecondary } from "./decide/objects/ownership.ts";
import {
  activeOf,
  candidatesOf,
  isAt,
  localOf,
  referencedBy,
  targetOf,
} from "./decide/platform/active-platform.ts";
import { configMapsOf, workflowSettings } from "./decide/platform/flow-properties.ts";
import { mayHaveLeftovers, namesOf, platformVerdict, servicePlans } from "./decide/platform/platform-plan.ts";
import { failedStatus, platformStatus } from "./decide/platform/platform-status.ts";
import { isHub, namesConfigMap } from "./decide/platform/platform-wakes.ts";
import { clusterReferenceOf, SERVICES, settingsOf } from "./decide/platform/services.ts";
import { ClusterPlatform, Platform } from "./kinds/index.ts";
import { PREDECESSOR_MANAGERS } from "./kinds/predecessor.ts";

const OWNED = ["get", "create", "patch", "delete"] as const;
const NO_CONFIG_MAPS: ReadonlyMap<string, ConfigMap | undefined> = new Map();

/** The platforms of one namespace: what the cluster shares with them, which one is active, and its services (3.3). */
export const platforms = allInNamespace(Platform).function({
  name: "sonataflow-platforms",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(ClusterPlatform).toEvery(),
    // Only the platform that others point at matters to them, and its own status says that it is the one.
    changed(Platform).toEach((platform, hub) => platform.metadata.namespace !== hub.namespace, {
      when: isHub,
    }),
    changed(ConfigMap).toEach(namesConfigMap, { same: "namespace" }),
  ],
  owns: [ConfigMap, Deployment, Service],
  verbs: { SonataFlowClusterPlatform: ["list"], ConfigMap: OWNED, Deployment: OWNED, Service: OWNED },
  observe: async ({ members, group, read, config }) => {
    const handled = members.filter((member) => isHandled(config.operatorId)(member) && !isDeleting(member));
    if (handled.length === 0)
      return { handled, clusters: [], hubs: [], live: [], configMaps: NO_CONFIG_MAPS };
    const clusters = (await read.list(ClusterPlatform)).filter(isHandled(config.operatorId));
    const here = (name: string) => ({ name, namespace: group });
    const refs = referencedBy(candidatesOf(clusters));
    const hubs = Promise.all(
      refs.map((ref) => members.find((one) => isAt(one, ref)) ?? read.get(Platform, ref)),
    );
    const named = [...new Set(handled.flatMap(configMapsOf))];
    const configMaps = Promise.all(
      named.map(async (name) => [name, await read.get(ConfigMap, here(name))] as const),
    );
    const live = handled.flatMap((platform) =>
      SERVICES.filter(
        (service) => settingsOf(platform, service) !== undefined || mayHaveLeftovers(platform, service),
      ).map(async (service) => {
        const names = namesOf(platform, service);
        const deployment = await read.get(Deployment, here(names.deployment));
        if (settingsOf(platform, service) !== undefined) return { platform, service, deployment };
        const leftovers = {
          configMap: await read.get(ConfigMap, here(names.configMap)),
          service: await read.get(Service, here(names.service)),
        };
        return { platform, service, deployment, leftovers };
      }),
    );
    // Awaited as one: where one read fails, nobody is left to hear of another's failure.
    const [hubsRead, liveRead, configMapsRead] = await Promise.all([hubs, Promise.all(live), configMaps]);
    return {
      handled,
      clusters,
      hubs: hubsRead.filter((hub) => hub !== undefined),
      live: liveRead,
      configMaps: new Map(configMapsRead),
    };
  },
  reconcile: ({ handled, clusters, hubs, live, configMaps }, { now, config }) => {
    const active = activeOf(clusters, hubs, config.gracePeriod as Duration, now);
    const hub = active && targetOf(active, hubs);
    const winner = localOf(handled);
    const decisions = handled.map((platform) => {
      const duplicate = platform !== winner && !isSecondary(platform);
      const plans = servicePlans(platform, live, duplicate, config);
      return {
        platform,
        plans,
        said: platformVerdict(platform, plans, duplicate),
        reference: clusterReferenceOf(platform, active, hub),
        settings: workflowSettings(platform, configMaps),
      };
    });
    return {
      effects: decisions.map(({ plans }) => plans.map(({ effects }) => effects)),
      conclude: (results) => {
        const ended = decisions
          .toSorted((one, other) => Number(one.platform === winner) - Number(other.platform === winner))
          .map((decision) => ({
            of: decision.platform,
            status: platformStatus(decision, results, config, now),
          }));
        return {
          status: ended,
          record: ended.map(({ of, status }) => news(of, "Succeed", conditionOf({ status }, "Succeed"))),
          retry: true,
          again: decisions.some(({ plans }) => plans.some(({ announce }) => announce === true)),
        };
      },
    };
  },
  failed: ({ members }, { message }, { now, config }) =>
    members
      .filter((member) => isHandled(config.operatorId)(member) && !isDeleting(member))
      .map((platform) => ({ of: platform, status: failedStatus(platform, message, now) })),
});
