import { compareVersions, parseVersion } from "../../../../shared/versions.ts";
import type { Hook } from "../assets/index.ts";
import type { Asked } from "../hooks/index.ts";

/** The addons that were completed last in a workload cluster. */
export interface Installed {
  readonly clusterStack: string;
  /** The version of its addons, with dashes. */
  readonly version: string | undefined;
  readonly kubernetesVersion: string | undefined;
  /** True where an upgrade led there. */
  readonly wasUpgrade: boolean;
}

/** All that the choice rests on. */
export interface MomentWorld {
  readonly wanted: {
    readonly clusterStack: string;
    readonly version: string;
    readonly kubernetesVersion: string;
  };
  /** Undefined: nothing has been completed yet. */
  readonly installed: Installed | undefined;
  /** The version of Kubernetes that the control plane is to have now, where it is known: Cluster API changes it once a hook lets it. */
  readonly controlPlane: string | undefined;
  /** The question that Cluster API asked last. */
  readonly asked: Asked | undefined;
  /** The work that was begun last, and whether all of it is done. */
  readonly target: { readonly clusterStack: string; readonly hook?: string | undefined } | undefined;
  readonly isDone: boolean;
  /** True where the content of that work's release is another one by now. */
  readonly isReplaced: boolean;
}

/** The stages that are to run, or why none are. */
export type Moment =
  | { readonly state: "run"; readonly hook: Hook }
  /** The class is another one, and its addons are the same: nothing is to be done for it. */
  | { readonly state: "same" }
  /** Cluster API will ask before it upgrades. */
  | { readonly state: "waits"; readonly message: string }
  | { readonly state: "rests" };

const run = (hook: Hook): Moment => ({ state: "run", hook });

/**
 * Chooses the moment whose stages lead to the wanted class (4.4). The first installation asks for nothing but a control plane that
 * answers; an upgrade of Kubernetes begins when Cluster API asks for it; a class for the same version of Kubernetes, for which it asks
 * nobody, at once.
 */
export function momentOf(world: MomentWorld): Moment {
  const { wanted, installed, asked, target, isDone, isReplaced } = world;
  const isAsked = (hook: Hook): boolean => asked?.hook === hook && asked.clusterStack === wanted.clusterStack;
  if (installed === undefined) return run("AfterControlPlaneInitialized");
  const isBegun = target?.clusterStack === wanted.clusterStack;
  if (installed.clusterStack === wanted.clusterStack) {
    if (isReplaced || (!isBegun && target !== undefined && !isDone))
      // Work towards another class was begun, and is taken back.
      return run(installed.wasUpgrade ? "BeforeClusterUpgrade" : "AfterControlPlaneInitialized");
    if (isBegun && !isDone) return begun(target.hook);
    return isAsked("AfterClusterUpgrade") ? run("AfterClusterUpgrade") : { state: "rests" };
  }
  if (isBegun) return begun(target.hook);
  const isNewer = isNewerKubernetes(
    world.controlPlane ?? installed.kubernetesVersion,
    wanted.kubernetesVersion,
  );
  const isSame = installed.version === wanted.version;
  if (isSame && installed.kubernetesVersion === wanted.kubernetesVersion && isClean(world))
    return { state: "same" };
  // Who asks after an upgrade has asked before it, or did when nobody answered.
  if (!isNewer || isAsked("BeforeClusterUpgrade") || isAsked("AfterClusterUpgrade"))
    return run("BeforeClusterUpgrade");
  return {
    state: "waits",
    message: `Cluster API has not asked BeforeClusterUpgrade for ${wanted.clusterStack} yet`,
  };
}

const HOOKS_OF_TARGETS: readonly Hook[] = [
  "AfterControlPlaneInitialized",
  "BeforeClusterUpgrade",
  "AfterClusterUpgrade",
];
const begun = (hook: string | undefined): Moment =>
  run(HOOKS_OF_TARGETS.find((one) => one === hook) ?? "BeforeClusterUpgrade");

/** True where nothing stands half done. */
const isClean = ({ installed, target, isDone }: MomentWorld): boolean =>
  target === undefined || (isDone && target.clusterStack === installed?.clusterStack);

/** True where the second version of Kubernetes is the newer one. Unknown counts as no: Cluster API may never ask, and an early start does no harm. */
export function isNewerKubernetes(from: string | undefined, to: string): boolean {
  const [before, after] = [from, to].map((text) => parseVersion(text?.replace(/^v/, "")));
  return before !== undefined && after !== undefined && compareVersions(before, after) < 0;
}
