import { readDeployment } from "../../../shared/kube/health/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { DeploymentSpec, DeploymentStatus } from "../../../shared/kube/schema/workloads.ts";
import type { OperandVersion, OperatorReport, OperatorStatus } from "../status/index.ts";

/** A Deployment with the parts that are read of it. */
export type PlayedDeployment = KubeObject & {
  readonly spec: DeploymentSpec;
  readonly status?: DeploymentStatus;
};

const PREFIX = "simulator.reveille.dev/";
/** Annotation of a Deployment: it runs the operator that reports to this ClusterOperator. */
export const OPERATOR = `${PREFIX}operator`;
/** Annotation of such a Deployment: its component is degraded, in these words. So is one that its environment calls DEGRADED. */
export const DEGRADED = `${PREFIX}degraded`;
/** Annotation of such a Deployment: the component must not move to the next minor version, in these words. */
export const NOT_UPGRADEABLE = `${PREFIX}not-upgradeable`;

/** The ClusterOperator that the Deployment's operator reports to; undefined where it runs none. */
export const operatorOf = ({ metadata }: PlayedDeployment): string | undefined =>
  metadata.annotations?.[OPERATOR];

/**
 * The report of a well-behaved operator: it moves while its Deployment rolls out, stays available meanwhile, and publishes the
 * new version together with the end of the move, once nothing runs the old one any more. The environment of its containers tells
 * it the version, as real operators are told: RELEASE_VERSION and OPERAND_VERSION.
 */
export function reportOf(deployment: PlayedDeployment, stored: OperatorStatus | undefined): OperatorReport {
  const release = environment(deployment, "RELEASE_VERSION") ?? "0.0.0";
  const rolling = !readDeployment(deployment).isRolledOut;
  const answers = (deployment.status?.availableReplicas ?? 0) > 0;
  const degraded = deployment.metadata.annotations?.[DEGRADED] ?? environment(deployment, "DEGRADED");
  const blocked = deployment.metadata.annotations?.[NOT_UPGRADEABLE];
  const published = stored?.versions?.find(({ name }) => name === "operator")?.version;
  // First available only when it is all there; later it stays so while something answers.
  const available = answers && (!rolling || published !== undefined);
  return {
    conditions: [
      available
        ? { type: "Available", status: "True", reason: "AsExpected", message: "All is well" }
        : { type: "Available", status: "False", reason: "NoReplicas", message: "Nothing answers yet" },
      rolling
        ? { type: "Progressing", status: "True", reason: "NewRevision", message: `Moving to ${release}` }
        : { type: "Progressing", status: "False", reason: "AsExpected", message: `All is at ${release}` },
      degraded === undefined || rolling
        ? { type: "Degraded", status: "False", reason: "AsExpected", message: "" }
        : { type: "Degraded", status: "True", reason: "Simulated", message: degraded },
      ...(blocked === undefined
        ? []
        : [{ type: "Upgradeable", status: "False", reason: "Simulated", message: blocked } as const]),
    ],
    remove: blocked === undefined ? ["Upgradeable"] : [],
    ...(rolling || !answers ? {} : { versions: versionsOf(deployment, release) }),
    relatedObjects: [
      { group: "", resource: "namespaces", name: deployment.metadata.namespace ?? "" },
      {
        group: "apps",
        resource: "deployments",
        namespace: deployment.metadata.namespace,
        name: deployment.metadata.name,
      },
    ],
  };
}

function versionsOf(deployment: PlayedDeployment, release: string): readonly OperandVersion[] {
  const operand = environment(deployment, "OPERAND_VERSION");
  return [
    { name: "operator", version: release },
    ...(operand === undefined ? [] : [{ name: operatorOf(deployment) ?? "", version: operand }]),
  ];
}

const environment = ({ spec }: PlayedDeployment, name: string): string | undefined =>
  spec.template.spec?.containers.flatMap(({ env = [] }) => env).find((variable) => variable.name === name)
    ?.value;
