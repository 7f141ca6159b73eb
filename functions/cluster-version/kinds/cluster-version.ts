import { defineKind } from "../../../shared/function/index.ts";
import { clusterVersionSpec } from "./cluster-version-spec.ts";
import { clusterVersionStatus } from "./cluster-version-status.ts";

/** The release that a cluster should be at, and how far it is. Only the object named `version` counts. */
export class ClusterVersion extends defineKind({
  group: "config.openshift.io",
  version: "v1",
  kind: "ClusterVersion",
  scope: "Cluster",
  description: "The release that a cluster should be at, and how far it is.",
  fields: { spec: clusterVersionSpec.describe("What an administrator asks for.") },
  status: clusterVersionStatus,
  validations: [
    {
      message:
        "the `marketplace` capability requires the `OperatorLifecycleManager` capability, which is neither explicitly or implicitly enabled in this cluster, please enable the `OperatorLifecycleManager` capability",
      rule: "has(self.spec.capabilities) && has(self.spec.capabilities.additionalEnabledCapabilities) && self.spec.capabilities.baselineCapabilitySet == 'None' && 'marketplace' in self.spec.capabilities.additionalEnabledCapabilities ? 'OperatorLifecycleManager' in self.spec.capabilities.additionalEnabledCapabilities || (has(self.status) && has(self.status.capabilities) && has(self.status.capabilities.enabledCapabilities) && 'OperatorLifecycleManager' in self.status.capabilities.enabledCapabilities) : true",
    },
  ],
  columns: [
    { name: "Version", type: "string", jsonPath: '.status.history[?(@.state=="Completed")].version' },
    { name: "Available", type: "string", jsonPath: '.status.conditions[?(@.type=="Available")].status' },
    { name: "Progressing", type: "string", jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
    {
      name: "Since",
      type: "date",
      jsonPath: '.status.conditions[?(@.type=="Progressing")].lastTransitionTime',
    },
    { name: "Status", type: "string", jsonPath: '.status.conditions[?(@.type=="Progressing")].message' },
  ],
  // What the kind's own functions read counts without being a fact; history and updates may be long.
  facts: (it) => ({
    channel: it.spec.channel,
    desiredUpdate: it.spec.desiredUpdate,
    desired: it.status.desired,
    available: it.status.conditions.of("Available").status,
    progressing: it.status.conditions.of("Progressing").status,
    failing: it.status.conditions.of("Failing").status,
    upgradeable: it.status.conditions.of("Upgradeable").status,
    observedGeneration: it.status.observedGeneration,
    deleting: it.metadata.deletionTimestamp,
  }),
  ready: (it) => it.status.conditions.of("Available").status.is("True"),
}) {}
