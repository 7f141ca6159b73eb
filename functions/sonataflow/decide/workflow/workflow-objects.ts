import type { OwnedBody, Time } from "../../../../shared/function/index.ts";
import { toWholeSeconds } from "../../../../shared/function/index.ts";
import type { ConfigMap, Deployment, Service } from "../../../../shared/kube/kinds/index.ts";
import type { Container } from "../../../../shared/kube/schema/container.ts";
import type { EnvVar } from "../../../../shared/kube/schema/env.ts";
import { CHECKSUM, RESTARTED_AT } from "../../kinds/annotations.ts";
import type { Platform, Workflow } from "../../kinds/index.ts";
import { digestOf } from "../objects/properties-file.ts";
import { mergedContainer, mergedPod } from "../platform/pod-merge.ts";
import { type Database, databaseEnv } from "../platform/postgres.ts";
import { managedConfigMapOf, managedFileOf, USER_FILE, userConfigMapOf } from "./managed-properties.ts";
import type { Profile } from "./profile.ts";

/** All that the objects of a workflow follow from. */
export interface WorkflowInput {
  readonly workflow: Workflow;
  readonly platform: Platform;
  readonly profile: Profile;
  readonly database: Database | undefined;
  /** Variables that carry secret properties of the platform. */
  readonly flowEnv: readonly EnvVar[];
  readonly userText: string;
  readonly managedText: string;
  /** The image of its spec, else the one that the operator before built and that runs; undefined where there is none. */
  readonly image: string | undefined;
  /** The workflow's Deployment as it was read. */
  readonly live: Deployment | undefined;
  readonly now: Time;
}

/** The container that runs the workflow: its name is fixed. */
export const WORKFLOW_CONTAINER = "workflow";
const PORT = 8080;
const PROBE = { timeoutSeconds: 3, periodSeconds: 15 };

/** The database of a workflow: its own word on persistence, else the platform's; never in dev. */
export function databaseOfWorkflow(
  { spec, metadata }: Workflow,
  platform: Platform | undefined,
  profile: Profile,
): Database | undefined {
  const { postgresql } = spec?.persistence ?? platform?.spec?.persistence ?? {};
  if (profile === "dev" || postgresql === undefined) return undefined;
  return { postgresql, namespace: metadata.namespace, schema: metadata.name };
}

/** Labels that never change: they select the pods. */
const selectorOf = ({ metadata: { name, namespace } }: Workflow): Record<string, string> => ({
  app: name,
  "app.kubernetes.io/component": "serverless-workflow",
  "app.kubernetes.io/managed-by": "sonataflow-operator",
  "app.kubernetes.io/name": name,
  "sonataflow.org/workflow-app": name,
  "sonataflow.org/workflow-namespace": namespace,
});
export const workflowLabels = (
  workflow: Workflow,
  platform: Platform | undefined,
): Record<string, string> => ({
  ...workflow.metadata.labels,
  ...selectorOf(workflow),
  ...(platform !== undefined && { "app.kubernetes.io/part-of": platform.metadata.name }),
});

export const managedConfigMap = (
  workflow: Workflow,
  platform: Platform,
  profile: Profile,
  text: string,
): OwnedBody<typeof ConfigMap> => ({
  metadata: { name: managedConfigMapOf(workflow.metadata.name), labels: workflowLabels(workflow, platform) },
  data: { [managedFileOf(profile)]: text },
});

export const workflowService = (workflow: Workflow, platform: Platform): OwnedBody<typeof Service> => ({
  metadata: { name: workflow.metadata.name, labels: workflowLabels(workflow, platform) },
  spec: {
    selector: selectorOf(workflow),
    ports: [{ name: "web", protocol: "TCP", port: 80, targetPort: PORT }],
  },
});

const annotationsOf = (live: Deployment | undefined) => live?.spec.template.metadata?.annotations ?? {};
const checksumOf = ({ userText, managedText }: WorkflowInput): string => digestOf(userText, managedText);
/** True where a roll-out is due that the Deployment's pause forbids. */
export const isHeldBack = (input: WorkflowInput): boolean => {
  const before = annotationsOf(input.live)[CHECKSUM];
  return input.live?.spec.paused === true && before !== undefined && before !== checksumOf(input);
};

/** The annotations that decide about a roll-out: a changed digest restarts, the first one and the same one do not. */
function rolloutAnnotations(input: WorkflowInput): Record<string, string> {
  const { [CHECKSUM]: before, [RESTARTED_AT]: restartedAt } = annotationsOf(input.live);
  const checksum = checksumOf(input);
  const restarted = before !== undefined && before !== checksum ? toWholeSeconds(input.now) : restartedAt;
  return { [CHECKSUM]: checksum, ...(restarted !== undefined && { [RESTARTED_AT]: restarted }) };
}

/** The Deployment of a workflow (3.7). The selector of one that exists is kept: it cannot be changed. */
export function workflowDeployment(input: WorkflowInput): OwnedBody<typeof Deployment> {
  const { workflow, platform, profile, live } = input;
  const { name } = workflow.metadata;
  const labels = workflowLabels(workflow, platform);
  const selector = live?.spec.selector ?? { matchLabels: selectorOf(workflow) };
  const template = workflow.spec?.podTemplate;
  const volume = {
    name: "workflow-properties",
    projected: {
      sources: [
        { configMap: { name: userConfigMapOf(name), items: [{ key: USER_FILE, path: USER_FILE }] } },
        {
          configMap: {
            name: managedConfigMapOf(name),
            items: [{ key: managedFileOf(profile), path: managedFileOf(profile) }],
          },
        },
      ],
    },
  };
  return {
    metadata: { name, labels },
    spec: {
      replicas: template?.replicas ?? 1,
      selector,
      template: {
        metadata: { labels: { ...labels, ...selector.matchLabels }, annotations: rolloutAnnotations(input) },
        spec: mergedPod(
          mergedContainer(containerOf(input), { ...template?.container, image: input.image }),
          [volume],
          template,
        ),
      },
    },
  };
}

function containerOf({ database, flowEnv }: WorkflowInput): Container {
  const probe = (path: string) => ({ httpGet: { path: `/q/health/${path}`, port: PORT }, ...PROBE });
  return {
    name: WORKFLOW_CONTAINER,
    env: [...(database === undefined ? [] : databaseEnv(database)), ...flowEnv],
    ports: [{ name: "web", containerPort: PORT, protocol: "TCP" }],
    livenessProbe: probe("live"),
    readinessProbe: probe("ready"),
    startupProbe: { ...probe("started"), initialDelaySeconds: 10, failureThreshold: 5 },
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumeMounts: [{ name: "workflow-properties", mountPath: "/deployments/config" }],
  };
}
