import type { SlotPlace } from "../../../../shared/function/index.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import type { ConfigMap } from "../../../../shared/kube/kinds/index.ts";
import { rawOf } from "../../../../shared/kube/read.ts";
import type { Configuration } from "../../configuration.ts";
import type { ClusterOperator, ClusterVersion, FeatureGate, ProxyConfig } from "../../kinds/index.ts";
import type { PayloadObject } from "../../kinds/payload-object.ts";
import { wantsProxy } from "../apply/index.ts";
import type { Task } from "../graph/index.ts";
import type { ClusterShape, LoadedPayload, PayloadLook } from "../payload/catalog.ts";
import { capabilitiesOf, movedCapabilities, upgradeableVerdict, upgradeRisks } from "../release/index.ts";
import { boardOf, gateStep } from "./board.ts";
import { type Decision, isToldOf, judge } from "./candidate.ts";
import { proxyOf, shapeOf } from "./cluster-shape.ts";
import { look } from "./look.ts";
import { situationOf } from "./situation.ts";
import { deletionKey, stepOf, type TaskRead } from "./step.ts";
import { type WorkOrder, workOf } from "./work.ts";
import { pendingDeletions, readWork, recordedImage } from "./work-record.ts";
import type { Known, World } from "./world.ts";

/** The field managers of the sync: fields of others are not its own. */
const FIELD_MANAGERS = ["reveille-cluster-version", "cluster-version-operator"] as const;

/** The reads of the sync. */
export interface Sight {
  readonly self: ClusterVersion;
  readonly operators: readonly ClusterOperator[];
  readonly record: ConfigMap | undefined;
  readonly adminGates: Readonly<Record<string, string>> | undefined;
  readonly adminAcks: Readonly<Record<string, string>> | undefined;
  /** The FeatureGate `cluster`, where there is one. */
  readonly featureGate: FeatureGate | undefined;
  /** Asks for the Proxy `cluster`, where there is one. */
  readonly proxy: () => Promise<ProxyConfig | undefined>;
  readonly config: Configuration;
  readonly lookUp: (image: string, shape: ClusterShape) => Promise<PayloadLook>;
  readonly read: (at: SlotPlace) => Promise<PayloadObject | undefined>;
  /** True where the server knows a kind. */
  readonly knows: (what: Pick<SlotPlace, "apiVersion" | "kind">) => Promise<boolean>;
}

/** Looks at what the pass is about, and no further than it needs. */
export async function observeWorld(sight: Sight): Promise<World> {
  const { self, operators, config } = sight;
  const stored = readWork(sight.record);
  const recorded = recordedImage(stored);
  const situation = situationOf(self, config.release, recorded);
  const shape = shapeOf(config, sight.featureGate, situation.current?.version ?? "");
  const enabled = self.status?.capabilities?.enabledCapabilities ?? [];
  const known: Known = {
    self,
    situation,
    operators,
    stored,
    capabilities: capabilitiesOf(situation.spec.capabilities, enabled),
  };
  const { current, candidate } = situation;
  if (candidate !== undefined && !isAnnounced(known)) return { ...known, state: "announcing", candidate };
  const [there, asked] = await Promise.all([
    current === undefined ? undefined : sight.lookUp(current.image, shape),
    candidate === undefined ? undefined : sight.lookUp(candidate.image, shape),
  ]);
  const first = candidate && asked && judge(candidate, asked, movingFrom(known, sight));
  const decision = first && ((await decidedOtherwise(known, first, { recorded, shape, sight })) ?? first);
  if (decision?.accepted === true)
    return { ...known, state: "accepting", decision, capabilities: afterMove(known, there, asked) };
  const refused = decision?.said ?? situation.notFound;
  if (current === undefined || there === undefined)
    return candidate === undefined || decision === undefined
      ? { ...known, state: "no release" }
      : { ...known, state: "refused", candidate, said: decision.said };
  if (there.state === "failed") return { ...known, state: "unreadable", look: there, refused };
  return { ...(await working(known, there, sight, shape)), refused };
}

/**
 * A cluster that is not new and cannot begin with the release that it was at, or that it was once installed with, begins with the one
 * that is asked for, judged as any other.
 */
async function decidedOtherwise(
  known: Known,
  first: Decision,
  {
    recorded,
    shape,
    sight,
  }: { readonly recorded: string | undefined; readonly shape: ClusterShape; readonly sight: Sight },
): Promise<Decision | undefined> {
  const { otherwise } = known.situation;
  if (otherwise === undefined || first.accepted) return undefined;
  if (recorded === undefined && first.said.reason !== "PreconditionChecks") return undefined;
  return judge(otherwise, await sight.lookUp(otherwise.image, shape), movingFrom(known, sight));
}

/** The first release needs no announcement: there is no status that tells of another. */
function isAnnounced({ self: { status }, situation: { candidate, current } }: Known): boolean {
  if (candidate === undefined || current === undefined) return true;
  const stored = status?.conditions?.find(({ type }) => type === "ReleaseAccepted");
  return isToldOf(stored, candidate);
}

const movingFrom = ({ self, situation, stored }: Known, sight: Sight) => ({
  clusterVersion: { spec: situation.spec, status: self.status },
  architecture: sight.config.architecture,
  operators: sight.operators,
  upgradeable: upgradeableVerdict(
    upgradeRisks({
      clusterVersion: { spec: situation.spec, status: self.status },
      operators: sight.operators,
      adminGates: sight.adminGates,
      adminAcks: sight.adminAcks,
      deletions: stored?.uid === self.metadata.uid ? pendingDeletions(stored) : [],
    }),
  ),
});

/** The capabilities that become enabled because the next payload moves manifests under them. */
function afterMove(
  { capabilities, situation: { spec } }: Known,
  there: PayloadLook | undefined,
  next: PayloadLook | undefined,
) {
  if (there?.state !== "loaded" || next?.state !== "loaded") return capabilities;
  const moved = movedCapabilities(
    there.payload.manifests,
    next.payload.manifests,
    capabilities,
    spec.overrides,
  );
  return capabilitiesOf(spec.capabilities, capabilities.enabled, moved);
}

async function working(known: Known, current: LoadedPayload, sight: Sight, shape: ClusterShape) {
  const { self, situation, capabilities, stored } = known;
  const { uid, name } = self.metadata;
  const order: WorkOrder = {
    uid,
    image: situation.current?.image ?? "",
    force: situation.current?.force ?? false,
    payload: current.payload,
    history: self.status?.history ?? [],
    inclusion: {
      featureGates: new Set(shape.featureGates),
      capabilities: { known: new Set(capabilities.known), enabled: new Set(capabilities.enabled) },
      overrides: situation.spec.overrides ?? [],
    },
  };
  const work = workOf(order, stored);
  const { mode, record } = work;
  const board = boardOf(sight.operators);
  const objects = new Map<number, PayloadObject>();
  const proxied = work.tasks.some(({ manifest }) => wantsProxy(manifest.object));
  const unread = notYetRead(sight);
  const failed = new Set(record.failures.map(({ task }) => task));
  const context = {
    mode,
    owner: { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", name, uid },
    fieldManagers: FIELD_MANAGERS,
    ...(proxied && { proxy: proxyOf(await sight.proxy()) }),
  };
  const seen = await look({
    start: {
      graph: work.graph,
      mode,
      done: new Set([...record.done, ...work.excluded]),
      failed,
    },
    parallel: mode === "Reconciling" ? 4 : 16,
    gateOf: (task) => gateStep(task, board, { mode, blockOnDegraded: sight.config.blockOnDegraded }),
    stepOf: (task, found) => stepOf(task, found, { context, deletion: record.deletions[deletionKey(task)] }),
    read: (task) =>
      mode === "Initializing" && !failed.has(task.index) ? unread(task) : readTask(task, sight.read, objects),
  });
  return { ...known, state: "working", current, work, look: seen, objects } as const;
}

/** Nothing is read; a kind that the configuration does not admit is told once, for all of its tasks. */
function notYetRead({ knows }: Sight): (task: Task) => Promise<TaskRead> {
  const kinds = new Map<string, Promise<TaskRead>>();
  const ask = async (apiVersion: string, kind: string): Promise<TaskRead> => {
    try {
      await knows({ apiVersion, kind });
      return { read: "not yet" };
    } catch (error) {
      return failedRead(error);
    }
  };
  return ({ manifest: { object, kind } }) => {
    const name = `${object.apiVersion} ${kind}`;
    const asked = kinds.get(name) ?? ask(object.apiVersion, kind);
    kinds.set(name, asked);
    return asked;
  };
}

/** The failure of a read: one that the server or the configuration refuses is the task's, any other the pass's. */
function failedRead(error: unknown): TaskRead {
  if (error instanceof KubeError)
    return {
      read: "failed",
      error: { code: error.code, message: error.message, status: error.status?.code },
    };
  if (isNotAdmitted(error)) return { read: "failed", error: { code: NOT_ADMITTED, message: error.message } };
  throw error;
}

/** The configuration does not let this system touch a kind. */
const NOT_ADMITTED = "KIND_NOT_ADMITTED";
const isNotAdmitted = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && error.code === NOT_ADMITTED;

async function readTask(
  task: Task,
  read: Sight["read"],
  objects: Map<number, PayloadObject>,
): Promise<TaskRead> {
  const { object, kind, name, namespace } = task.manifest;
  try {
    const live = await read({
      apiVersion: object.apiVersion,
      kind,
      name,
      ...(namespace !== "" && { namespace }),
    });
    if (live !== undefined) objects.set(task.index, live);
    return { read: "object", live: live && rawOf(live) };
  } catch (error) {
    return failedRead(error);
  }
}
