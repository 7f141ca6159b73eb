import { findCondition, isFalse, isTrue } from "../../status/index.ts";
import { adminAckRisks } from "./admin-ack.ts";
import { hasOverrides, OVERRIDES_MESSAGE } from "./overrides.ts";
import type { ClusterVersionView, StoredCondition, Verdict } from "./types.ts";
import type { UpgradeRisk } from "./upgrade-risk.ts";

/** All that Upgradeable follows from. */
export interface UpgradeableWorld {
  readonly clusterVersion: ClusterVersionView;
  readonly operators: readonly OperatorView[];
  /** The entries of `openshift-config-managed/admin-gates`; undefined where there is none. */
  readonly adminGates: Readonly<Record<string, string>> | undefined;
  /** The entries of `openshift-config/admin-acks`. */
  readonly adminAcks: Readonly<Record<string, string>> | undefined;
  /** Deletions that were asked for and are not over, as labels. */
  readonly deletions: readonly string[];
}
export interface OperatorView {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly StoredCondition[] | undefined } | undefined;
}

/** All of them, in a fixed order: the update under way, overrides, deletions, administrators' acknowledgements, operators by name. */
export function upgradeRisks(world: UpgradeableWorld): readonly UpgradeRisk[] {
  const { spec, status } = world.clusterVersion;
  return [
    ...(isTrue(status?.conditions, "Progressing")
      ? [
          {
            name: "ClusterVersionUpdating",
            message: "An update is already in progress and the details are in the Progressing condition.",
          },
        ]
      : []),
    ...(hasOverrides(spec.overrides)
      ? [{ name: "ClusterVersionOverrides", message: OVERRIDES_MESSAGE }]
      : []),
    ...(world.deletions.length > 0
      ? [
          {
            name: "ResourceDeletionInProgress",
            message: `Cluster minor or major version upgrades are not allowed while resource deletions are in progress; resources=${world.deletions.toSorted().join(",")}`,
          },
        ]
      : []),
    ...adminAckRisks(status?.history, world.adminGates, world.adminAcks),
    ...operatorRisks(world.operators),
  ];
}

/** The risks of operators. Only an explicit False counts: no condition, Unknown and True let the update through. */
function operatorRisks(operators: readonly OperatorView[]): readonly UpgradeRisk[] {
  return operators
    .filter(({ status }) => isFalse(status?.conditions, "Upgradeable"))
    .map(({ metadata: { name }, status }) => {
      const said = findCondition(status?.conditions, "Upgradeable");
      const message = said?.message ?? "";
      return {
        name: `ClusterOperatorUpgradeable-${name}`,
        message:
          message === ""
            ? `Cluster operator ${name} reports Upgradeable=False (${said?.reason || "no reason"}) and does not say why.`
            : message,
      };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** The condition Upgradeable; undefined where nothing speaks against an update, and the condition goes. */
export function upgradeableVerdict(risks: readonly UpgradeRisk[]): Verdict | undefined {
  const [first, ...more] = risks;
  if (first === undefined) return undefined;
  if (more.length === 0)
    return {
      status: "False",
      reason: REASON.test(first.name) ? first.name : "RiskNameNotCompatibleWithReasonProperty",
      message: first.message,
    };
  return {
    status: "False",
    reason: "MultipleReasons",
    message: `Cluster should not be upgraded between minor or major versions for multiple reasons:\n* ${risks.map(({ message }) => message).join("\n* ")}`,
  };
}
