import { changed, create, each, inOrder, note, own, unwatched } from "../../shared/function/index.ts";
import { waitFor } from "../../shared/function/waits.ts";
import { ConfigMap, Deployment, Namespace, Service } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import { conditionOf } from "./decide/objects/conditions.ts";
import { news } from "./decide/objects/news.ts";
import { isHandled } from "./decide/objects/ownership.ts";
import { localOf } from "./decide/platform/active-platform.ts";
import { defaultPlatform, takenBy } from "./decide/platform/default-platform.ts";
import { configMapsOf } from "./decide/platform/flow-properties.ts";
import { USER_FILE, userConfigMapOf } from "./decide/workflow/managed-properties.ts";
import {
  managedConfigMap,
  workflowDeployment,
  workflowLabels,
  workflowService,
} from "./decide/workflow/workflow-objects.ts";
import {
  dataIndexOf,
  duplicatesOf,
  lagsBehind,
  namesakeOf,
  planWorkflow,
  waitsOf,
} from "./decide/workflow/workflow-plan.ts";
import { failedWorkflow, workflowStatus } from "./decide/workflow/workflow-status.ts";
import { workflowOfProperties } from "./decide/workflow/workflow-wakes.ts";
import { Platform, Workflow } from "./kinds/index.ts";
import { PREDECESSOR_MANAGERS } from "./kinds/predecessor.ts";

// Delete: a child of a workflow that bore the name before.
const OWNED = ["get", "create", "patch", "delete"] as const;

/** One workflow: its properties, its objects, and which services it uses (3.7). */
export const workflows = each(Workflow).function({
  name: "sonataflow-workflows",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [
    changed(Platform).toEach((self, platform) => self.metadata.namespace === platform.namespace, {
      same: "namespace",
    }),
    changed(ConfigMap).toName(workflowOfProperties),
  ],
  owns: [ConfigMap, Deployment, Service],
  reads: [
    unwatched(Namespace, "asked only before a platform is made; one that ends takes its workflows along"),
  ],
  writes: [Platform],
  verbs: {
    ConfigMap: OWNED,
    Deployment: OWNED,
    Service: OWNED,
    Namespace: ["get"],
    SonataFlowPlatform: ["get", "list", "create"],
  },
  observe: async ({ self, read, config }) => {
    const { name, namespace } = self.metadata;
    const platforms = await read.list(Platform, { namespace });
    const platform = localOf(platforms.filter(isHandled(config.operatorId)));
    const taken = platform === undefined ? takenBy(platforms, config) : undefined;
    const here = (other: string) => ({ name: other, namespace });
    const shared =
      platform?.spec?.services === undefined ? platform?.status?.clusterPlatformRef?.services : undefined;
    const [place, userProperties, deployment, configMaps, namesakes] = await Promise.all([
      platform === undefined ? read.get(Namespace, { name: namespace }) : undefined,
      read.get(ConfigMap, here(userConfigMapOf(name))),
      read.get(Deployment, here(name)),
      Promise.all(
        configMapsOf(platform).map(async (each) => [each, await read.get(ConfigMap, here(each))] as const),
      ),
      // Looked for once its own status says which one it uses: of two that take it up at once, one sees the other.
      shared?.dataIndexRef !== undefined && dataIndexOf(self) === shared.dataIndexRef.url
        ? read.pick(Workflow, { name }, namesakeOf)
        : [],
    ]);
    return {
      platform,
      taken,
      namespace: place,
      userProperties,
      deployment,
      configMaps: new Map(configMaps),
      namesakes,
    };
  },
  reconcile: (world, { now, config }) => {
    const { self, platform } = world;
    if (!isHandled(config.operatorId)(self)) return {};
    if (lagsBehind(platform)) return { waitingFor: [waitFor(platform, "take up its changed spec")] };
    const plan = planWorkflow(world, now, config);
    const { namespace } = self.metadata;
    const userProperties = create(
      ConfigMap,
      {
        metadata: {
          name: userConfigMapOf(self.metadata.name),
          namespace,
          labels: workflowLabels(self, platform),
        },
        data: { [USER_FILE]: "" },
      },
      { owner: self },
    );
    const objects = () => {
      if (plan.state === "no platform")
        return plan.create ? create(Platform, defaultPlatform(namespace, config)) : [];
      if (!("input" in plan)) return [];
      const managed = own(
        self,
        ConfigMap,
        managedConfigMap(self, plan.platform, plan.profile, plan.input.managedText),
        FORCE,
      );
      if (plan.state !== "deploy") return inOrder(userProperties, managed);
      return inOrder(userProperties, managed, [
        own(self, Deployment, workflowDeployment(plan.input), FORCE),
        own(self, Service, workflowService(self, plan.platform), FORCE),
      ]);
    };
    const url = "services" in plan ? plan.services?.dataIndexRef?.url : undefined;
    const warnings = duplicatesOf(self, world.namesakes, url)
      .filter(({ workflow }) => isHandled(config.operatorId)(workflow))
      .map(({ workflow, oldest }) =>
        note(
          workflow,
          "Warning",
          "DuplicateName",
          `The Data Index ${url} cannot tell this workflow from an older one of the same name in namespace ${oldest}.`,
        ),
      );
    return {
      effects: [objects(), warnings],
      conclude: (results) => {
        const status = workflowStatus(self, plan, results.failed[0]?.error, now);
        const running = conditionOf({ status }, "Running");
        return {
          status,
          // That it runs is told by the pods: only a failure is news.
          record: running?.reason === "DeploymentFailure" ? news(self, "Running", running) : [],
          waitingFor: waitsOf(self, plan),
          retry: true,
          // It has just taken one up: who else uses it is looked for at once.
          again: status.services?.dataIndexRef !== undefined && dataIndexOf({ status }) !== dataIndexOf(self),
        };
      },
    };
  },
  failed: ({ self }, { message }, { now, config }) =>
    isHandled(config.operatorId)(self) ? failedWorkflow(self, message, now) : undefined,
});
// What the workflow says counts; who wants it otherwise says so in the workflow.
const FORCE = { force: true };
