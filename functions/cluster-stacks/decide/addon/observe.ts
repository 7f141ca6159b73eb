import type { AnyObject, ClusterState, Obj, SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { fieldOf, textOf } from "../../../../shared/json/fields.ts";
import { identityKey, without } from "../../../../shared/manifests/inventory.ts";
import type {
  Cluster,
  ClusterAddon,
  ClusterStackRelease,
  Resource,
  WorkloadObject,
} from "../../kinds/index.ts";
import type { Charts } from "../../ports/charts/index.ts";
import { addonMark, type RenderedObject, recordedObject } from "../apply/index.ts";
import { type Assets, namesContent } from "../assets/index.ts";
import { bad } from "../conditions/index.ts";
import { ADDON_RENDERING, renderedObjects } from "../render/index.ts";
import { DEFAULT_SOURCE, type NamespacedReleases, type SourceOf } from "../source/index.ts";
import { conditionObjects } from "./condition-objects.ts";
import { type FoundValuesObjects, type ValuesReads, valuesObjects } from "./objects.ts";
import { type Plan, type PlannedStage, planOf } from "./plan.ts";
import { leftIn } from "./record.ts";
import { isAskedAfterwards } from "./staged-plan.ts";
import { type Standing, type StandingReads, standingOf, unrecordedClass } from "./standing.ts";
import { droppedParts, keptRendering, packedRendering, partName, valuesDigest } from "./store.ts";
import { isDoneFor, isLeftAlone, isSameTarget, wantedClass } from "./target.ts";
import { placeOf } from "./wait-pass.ts";
import type { AddonWorld, FoundObject, Kept, Known, StageObjects, StageWorld } from "./world.ts";

type Addon = Obj<typeof ClusterAddon>;
type Place = { readonly name: string; readonly namespace: string };
type There = { readonly cluster: string };

/** The reads that a decision about addons needs. */
export interface AddonReads extends ValuesReads {
  readonly releases: NamespacedReleases;
  readonly charts: Charts;
  readonly news: string | undefined;
  cluster(at: Place): Promise<Obj<typeof Cluster> | undefined>;
  release(at: Place): Promise<Obj<typeof ClusterStackRelease> | undefined>;
  secret(at: Place): Promise<Kept | undefined>;
  /** The state of the workload cluster. */
  there(cluster: string): Promise<ClusterState>;
  workloadObject(at: SlotPlace & There): Promise<Obj<typeof WorkloadObject> | undefined>;
  workloadKnows(
    what: Pick<SlotPlace, "apiVersion" | "kind"> & There,
  ): Promise<{ readonly scope: "Namespaced" | "Cluster" } | undefined>;
}

/** Reads what a decision about addons rests on, and no more: at rest the workload cluster is asked whether it is there, and nothing else. */
export async function observeAddon(self: Addon, reads: AddonReads): Promise<AddonWorld> {
  const { namespace } = self.metadata;
  const { name = "" } = self.spec?.clusterRef ?? {};
  const found = await whereAdmitted(() => reads.cluster({ name, namespace }));
  const cluster = "refused" in found ? undefined : found.value;
  if (cluster === undefined) return { step: "no cluster" };
  const wanted = wantedClass(cluster);
  if (wanted === undefined) return { step: "no stack" };
  if (isLeftAlone(cluster)) return { step: "left alone" };
  const [there, release] = await Promise.all([
    reads.there(`${namespace}/${name}`),
    reads.release({ name: wanted.tag, namespace: wanted.namespace }),
  ]);
  const known = { cluster, wanted, there, release };
  if (there.state !== "reachable") return { step: "away", ...known };
  const { digest } = release?.status ?? {};
  if (isDoneFor(self, wanted, digest) && !isAskedAfterwards(self, wanted)) return { step: "done", ...known };
  const source: SourceOf = { source: release?.spec?.source ?? DEFAULT_SOURCE, namespace: wanted.namespace };
  const opening = await reads.releases.open(source, wanted.tag, {
    ...(reads.news !== undefined && { news: reads.news }),
  });
  if (opening.state !== "opened")
    return { step: "no assets", opening, faults: [], secret: reads.releases.secret(source), ...known };
  const { assetsOf } = await import("../assets/assets.ts");
  const { value: assets, faults = [] } = assetsOf(wanted.release, opening.release);
  if (assets === undefined) return { step: "no assets", opening, faults, ...known };
  if (digest !== undefined && !namesContent(digest, assets)) {
    const message = `its content is another than the release has, ${assets.digest} in place of ${digest}: publish a change as a new version`;
    return { step: "no assets", opening, faults: [{ file: wanted.tag, message }], ...known };
  }
  return observePlan(withToday(self, assets), known, assets, reads);
}

/** The addons with the digest that their release has today, where they have the one of earlier versions of this program. */
function withToday(self: Addon, assets: Assets): Addon {
  const { status } = self;
  if (status?.target === undefined || !namesContent(status.target.digest, assets)) return self;
  return { ...self, status: { ...status, target: { ...status.target, digest: assets.digest } } };
}

async function observePlan(
  self: Addon,
  known: Known,
  assets: Assets,
  reads: AddonReads,
): Promise<AddonWorld> {
  const { wanted } = known;
  const running = await runningKubernetes(self, known, assets, reads);
  const plan = planOf(self, wanted, assets, running.version);
  if ("waits" in plan) return { step: "no plan", plan, valuesOf: running.places, ...known };
  if (!isSameTarget(self.status?.target, plan.target)) {
    const standing = await observeStanding(self, plan, known, reads);
    if (standing?.state === "later") return { step: "unrecorded", standing, ...known };
    return {
      ...(plan.stages.length === 0 ? { step: "finished", isNew: true } : { step: "new target" }),
      plan,
      dropped: plan.keepsStages === true ? [] : await droppedStages(self, plan.stages.length, reads),
      standing,
      ...known,
    };
  }
  return { ...(await observeWork(self, plan, known, reads)), plan, ...known };
}

/** The version of Kubernetes that the control plane is to have now: it says whether Cluster API is yet to ask before an upgrade. */
async function runningKubernetes(
  self: Addon,
  { wanted, cluster: home }: Pick<Known, "wanted" | "cluster">,
  { addons }: Assets,
  reads: AddonReads,
): Promise<{ readonly version?: string; readonly places: readonly SlotPlace[] }> {
  const { clusterStack = "" } = self.spec ?? {};
  if (addons.form === "single-stage" || clusterStack === "" || clusterStack === wanted.class)
    return { places: [] };
  const live = await valuesObjects(clusterPlace(home), reads);
  if ("missing" in live) return live;
  const version = textOf(fieldOf(live.objects.ControlPlane.spec, "version"));
  return { ...(version !== "" && { version }), places: live.places };
}

/** The objects that another program installed without a record of them; undefined where there is a record, or nothing was installed. */
async function observeStanding(
  self: Addon,
  plan: Plan,
  { cluster: home, wanted: { namespace }, there: { cluster } }: Known,
  reads: AddonReads,
): Promise<Standing | undefined> {
  const standing = unrecordedClass(self, plan);
  if (standing === undefined) return undefined;
  const workloadKnows: StandingReads["workloadKnows"] = (what) => reads.workloadKnows({ ...what, cluster });
  return standingOf(self, standing, { home: clusterPlace(home), namespace }, { ...reads, workloadKnows });
}

type Work =
  | { readonly step: "stage"; readonly stage: StageWorld }
  | { readonly step: "left over"; readonly found: readonly FoundObject[] }
  | { readonly step: "finished"; readonly isNew: false; readonly dropped: readonly Kept[] };

/** The Secrets of stages beyond these, of which the status still knows. */
async function droppedStages(
  self: Addon,
  stages: number,
  reads: Pick<AddonReads, "secret">,
): Promise<readonly Kept[]> {
  const beyond = (self.status?.stages ?? []).map((_, index) => ({ index, kept: 0 })).slice(stages);
  return ownParts(self, await droppedParts(beyond, partsOf(self, reads)));
}

const partsOf =
  ({ metadata: { name, namespace } }: Addon, reads: Pick<AddonReads, "secret">) =>
  (stage: number, part: number): Promise<Kept | undefined> =>
    reads.secret({ name: partName(name, stage, part), namespace });

/** Without what somebody else called so. */
const ownParts = (self: Addon, parts: readonly Kept[]): readonly Kept[] =>
  parts.filter(({ metadata }) => metadata.ownerReferences.some(({ uid }) => uid === self.metadata.uid));

async function observeWork(
  self: Addon,
  plan: Plan,
  { cluster: home, there: { cluster } }: Pick<Known, "cluster" | "there">,
  reads: AddonReads,
): Promise<Work> {
  const index = plan.stages.findIndex((_, at) => self.status?.stages?.[at]?.phase !== "done");
  const planned = plan.stages[index];
  if (planned !== undefined)
    return { step: "stage", stage: await observeStage(self, { index, planned, plan, cluster, home }, reads) };
  const left = leftIn(self.status?.resources ?? []);
  return left.length === 0
    ? { step: "finished", isNew: false, dropped: [] }
    : { step: "left over", found: await foundObjects(left, cluster, reads) };
}

/** Looks for the objects of these entries in the workload cluster. */
export async function foundObjects(
  resources: readonly Resource[],
  cluster: string,
  reads: Pick<AddonReads, "workloadObject" | "workloadKnows">,
): Promise<readonly FoundObject[]> {
  return Promise.all(
    resources.map(async (resource) => {
      const { kind = "", name = "", namespace } = resource;
      const found = await recordedObject(
        resource,
        (apiVersion) => reads.workloadObject({ apiVersion, kind, name, namespace, cluster }),
        (what) => reads.workloadKnows({ ...what, cluster }),
      );
      return { resource, ...found };
    }),
  );
}

interface StageOf {
  readonly index: number;
  readonly planned: PlannedStage;
  readonly plan: Plan;
  /** The workload cluster. */
  readonly cluster: string;
  /** Its Cluster at home. */
  readonly home: AnyObject;
}

/** The place of the Cluster that values are made of. */
const clusterPlace = ({ apiVersion, kind, metadata: { name, namespace } }: AnyObject): SlotPlace => ({
  ...{ apiVersion, kind, name },
  namespace,
});

async function observeStage(self: Addon, of: StageOf, reads: AddonReads): Promise<StageWorld> {
  const { index, planned, home } = of;
  const waiting = await waitingObjects(self, of, reads);
  if (waiting !== undefined) return { index, planned, objects: waiting, valuesOf: [] };
  const live = planned.values === undefined ? undefined : await valuesObjects(clusterPlace(home), reads);
  return { index, planned, objects: await stageObjects(self, of, live, reads), valuesOf: live?.places ?? [] };
}

/** Asks the condition that the stage is at about its objects; undefined where it is at none. */
async function waitingObjects(
  self: Addon,
  { index, planned, cluster }: StageOf,
  reads: AddonReads,
): Promise<StageObjects | undefined> {
  const place = placeOf(self.status?.stages?.[index]?.phase);
  const condition = place === "before" ? planned.waitForPreCondition : planned.waitForPostCondition;
  if (place === undefined || condition === undefined) return undefined;
  const found = await conditionObjects(condition, {
    object: (at) => reads.workloadObject({ ...at, cluster }),
    knows: (what) => reads.workloadKnows({ ...what, cluster }),
  });
  const { judgeWait } = await import("./cel.ts");
  return { state: "waiting", place, verdict: judgeWait(condition, found) };
}

async function stageObjects(
  self: Addon,
  of: StageOf,
  live: FoundValuesObjects | undefined,
  reads: AddonReads,
): Promise<StageObjects> {
  const { planned } = of;
  if (live !== undefined && "missing" in live) return { state: "missing", what: live.missing };
  const { addonValues } = await import("../values/values.ts");
  const read =
    live === undefined || planned.values === undefined
      ? { values: {} }
      : addonValues(planned.values.file, planned.values.text, live.objects);
  if ("fault" in read)
    return {
      state: "faulty",
      verdict: bad("HelmChartTemplated", "Error", "TemplateNewClusterStackOverwriteFailed", read.fault),
    };
  const digest = valuesDigest(read.values);
  const kept = await keptObjects(self, of, digest, reads);
  if (kept !== undefined) {
    const resources = kept.map(({ resource }) => resource);
    const sought =
      planned.action === "delete" ? deletedAmong(self, planned, resources) : recreatedAmong(self, resources);
    const found = await foundObjects(sought, of.cluster, reads);
    return { state: "kept", objects: kept, found };
  }
  return renderedStage(self, of, { values: read.values, digest }, reads);
}

/** Those that a stage may delete: what another stage of the target has brought as well stays. */
function deletedAmong(
  { status }: Addon,
  { name }: PlannedStage,
  resources: readonly Resource[],
): readonly Resource[] {
  const others = (status?.resources ?? []).filter(
    (resource) => resource.status === "synced" && resource.stage !== undefined && resource.stage !== name,
  );
  return without(resources, others);
}

/** Those of a stage that are to be made anew. */
function recreatedAmong({ status }: Addon, resources: readonly Resource[]): readonly Resource[] {
  const keys = new Set(resources.map(identityKey));
  return (status?.resources ?? []).filter(
    (resource) => resource.recreate === true && keys.has(identityKey(resource)),
  );
}

/** The objects that were rendered before with the same values: charts make keys, and these are made once. */
async function keptObjects(
  self: Addon,
  { index }: StageOf,
  digest: string,
  reads: AddonReads,
): Promise<readonly RenderedObject[] | undefined> {
  const { name, namespace } = self.metadata;
  const { rendered, values } = self.status?.stages?.[index] ?? {};
  if (rendered === undefined || values !== digest) return undefined;
  return keptRendering(rendered, (part) => reads.secret({ name: partName(name, index, part), namespace }));
}

async function renderedStage(
  self: Addon,
  { index, planned, plan, cluster }: StageOf,
  { values, digest }: { readonly values: Readonly<Record<string, unknown>>; readonly digest: string },
  reads: AddonReads,
): Promise<StageObjects> {
  const rendered = await renderedObjects({
    charts: reads.charts,
    chart: planned.chart,
    request: { ...ADDON_RENDERING, values, kubernetesVersion: plan.target.kubernetesVersion },
    called: `the chart ${planned.name}`,
    mayBeEmpty: true,
    mark: addonMark(self),
    knows: (what) => reads.workloadKnows({ ...what, cluster }),
  });
  if ("fault" in rendered)
    return {
      state: "faulty",
      verdict: bad("HelmChartTemplated", "Error", "TemplateNewClusterStackFailed", rendered.fault),
    };
  const packed = packedRendering(self.metadata.name, index, rendered.objects);
  const dropped = await droppedParts([{ index, kept: packed.parts.length }], partsOf(self, reads));
  return {
    state: "made",
    objects: rendered.objects,
    values: digest,
    ...packed,
    dropped: ownParts(self, dropped),
  };
}
