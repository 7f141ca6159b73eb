import type { Obj, SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { without } from "../../../../shared/manifests/inventory.ts";
import type {
  ClassObject,
  ClusterStackRelease,
  ObjectReference,
  ProviderObject,
  Resource,
} from "../../kinds/index.ts";
import type { Charts } from "../../ports/charts/index.ts";
import { type RenderedObject, recordedObject, releaseMark } from "../apply/index.ts";
import { namesContent } from "../assets/index.ts";
import { type ReleaseName, releaseOfTag } from "../names/index.ts";
import { CLASS_CHART, classFault, classRendering, type Rendered, renderedObjects } from "../render/index.ts";
import { DEFAULT_SOURCE, type NamespacedReleases, type SourceOf } from "../source/index.ts";
import { type AddonOfClass, type ClusterOfClass, type User, usersOf, usesOf } from "../usage/index.ts";
import { isProviderReady, type Provider, type RecordedObject, type ReleaseWorld } from "./world.ts";

/** The reads that a decision about a release needs. */
export interface ReleaseReads {
  readonly releases: NamespacedReleases;
  readonly charts: Charts;
  readonly news: string | undefined;
  clusters(): Promise<readonly ClusterOfClass[]>;
  addons(): Promise<readonly AddonOfClass[]>;
  /** All releases, of all namespaces. */
  all(): Promise<readonly Release[]>;
  release(at: { readonly name: string; readonly namespace: string }): Promise<Release | undefined>;
  provider(at: SlotPlace): Promise<Obj<typeof ProviderObject> | undefined>;
  object(at: SlotPlace): Promise<Obj<typeof ClassObject> | undefined>;
  knows(
    what: Pick<SlotPlace, "apiVersion" | "kind">,
  ): Promise<{ readonly scope: "Namespaced" | "Cluster" } | undefined>;
}

type Release = Obj<typeof ClusterStackRelease>;
type RenderedObjects = Extract<Rendered, { readonly objects: unknown }>;

/** Reads what a decision about a release rests on, and no more: what goes is not fetched, what waits is not rendered. */
export async function observeRelease(self: Release, reads: ReleaseReads): Promise<ReleaseWorld> {
  const { name: tag, namespace, deletionTimestamp } = self.metadata;
  const name = releaseOfTag(tag);
  const isDeleting = deletionTimestamp !== undefined;
  const [users, provider] = await Promise.all([
    // There may be thousands of Clusters: they are asked for where somebody wants it gone.
    isDeleting && name !== undefined ? usersIn(name, namespace, reads) : [],
    providerOf(self.spec?.providerRef, namespace, reads),
  ]);
  const isGoing = isDeleting && users.length === 0;
  const recorded = isGoing ? await heldObjects(self, reads) : [];
  const none = { assets: undefined, faults: [], rendered: undefined, recreated: [] } as const;
  if (name === undefined || isGoing) return { name, users, provider, recorded, opening: undefined, ...none };
  const source: SourceOf = { source: self.spec?.source ?? DEFAULT_SOURCE, namespace };
  const secret = reads.releases.secret(source);
  const opening = await reads.releases.open(source, tag, {
    ...(isPatient(self, secret !== undefined) && { notBefore: self.status?.nextTry }),
    ...(reads.news !== undefined && { news: reads.news }),
  });
  const world = { name, users, provider, recorded, opening, ...(opening.state !== "opened" && { secret }) };
  if (opening.state !== "opened") return { ...world, ...none };
  const { assetsOf } = await import("../assets/assets.ts");
  const { value: assets, faults = [] } = assetsOf(name, opening.release);
  const { digest } = self.status ?? {};
  const isReplaced = digest !== undefined && !namesContent(digest, opening.release);
  const rendered =
    assets === undefined || isReplaced || !isProviderReady(provider)
      ? undefined
      : classNamed(
          name,
          await renderedObjects({
            charts: reads.charts,
            chart: assets.classChart,
            request: classRendering(name, namespace),
            called: CLASS_CHART,
            mark: releaseMark(self),
            knows: (what) => reads.knows(what),
          }),
        );
  const shared = rendered === undefined || "fault" in rendered ? rendered : await held(self, rendered, reads);
  const again = (self.status?.resources ?? []).filter(({ recreate }) => recreate === true);
  const recreated = rendered === undefined ? [] : await recordedObjects(again, reads);
  return { ...world, assets, faults, rendered: shared, recreated };
}

/** A chart whose class goes by another name is at fault: nothing of it is applied, since no Cluster would find it. */
function classNamed(name: ReleaseName, rendered: Rendered): Rendered {
  const fault =
    "fault" in rendered
      ? undefined
      : classFault(
          name,
          rendered.objects.map(({ object }) => object),
        );
  return fault === undefined ? rendered : { fault: `${CLASS_CHART}: ${fault}` };
}

/** Says of each object whether another release that brings it too holds it: then it bears that one's mark. */
async function held(
  self: Release,
  { objects }: RenderedObjects,
  reads: ReleaseReads,
): Promise<RenderedObjects> {
  const { annotation, of } = releaseMark(self);
  const looked = objects.map(async (one): Promise<RenderedObject> => {
    const { apiVersion, kind, metadata } = one.object;
    const place = { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
    const live = await whereAdmitted(() => reads.object(place));
    const heldBy = "refused" in live ? undefined : live.value?.metadata.annotations[annotation];
    const [namespace = "", name = ""] = heldBy?.split("/") ?? [];
    if (heldBy === undefined || heldBy === of || name === "") return one;
    const holder = await reads.release({ namespace, name });
    if (holder === undefined || !brings(holder, one.resource)) return one;
    const annotations = { ...metadata.annotations, [annotation]: heldBy };
    return { ...one, heldBy, object: { ...one.object, metadata: { ...metadata, annotations } } };
  });
  return { objects: await Promise.all(looked) };
}

async function usersIn(name: ReleaseName, namespace: string, reads: ReleaseReads): Promise<readonly User[]> {
  const [clusters, addons] = await Promise.all([reads.clusters(), reads.addons()]);
  return usersOf(usesOf(clusters, addons), name, namespace);
}

/**
 * True where the source itself wanted to be left alone for a while; what is wrong with one release may be mended at any time, and so may
 * the credentials in a Secret.
 */
function isPatient({ status }: Release, hasSecret: boolean): boolean {
  const says = (wanted: string): boolean =>
    status?.conditions?.some(({ reason }) => reason === wanted) === true;
  if (hasSecret && says("FailedCreateAssetsClient")) return false;
  return says("ReleaseAssetsNotDownloadedYet") || status?.ready === true;
}

async function providerOf(
  reference: ObjectReference | undefined,
  namespace: string,
  reads: ReleaseReads,
): Promise<Provider> {
  if (reference === undefined) return { state: "none" };
  const { apiVersion = "", kind = "", name = "" } = reference;
  if (apiVersion === "" || kind === "" || name === "")
    return {
      state: "refused",
      message: "spec.providerRef names no object: it wants apiVersion, kind and name",
    };
  const place = { apiVersion, kind, name, namespace: reference.namespace || namespace };
  const read = await whereAdmitted(() => reads.provider(place));
  if ("refused" in read) return { state: "refused", message: read.refused };
  return read.value === undefined
    ? { state: "missing", place }
    : { state: "found", place, object: read.value };
}

/** The objects of a release that goes: releases may bring one together, and it is then for those that stay. */
async function heldObjects(
  { metadata: { uid }, status }: Release,
  reads: ReleaseReads,
): Promise<readonly RecordedObject[]> {
  const resources = status?.resources ?? [];
  if (resources.length === 0) return [];
  const [found, all] = await Promise.all([recordedObjects(resources, reads), reads.all()]);
  const others = all.filter(
    ({ metadata }) => metadata.uid !== uid && metadata.deletionTimestamp === undefined,
  );
  return found.map((one) => ({ ...one, heir: others.findLast((other) => brings(other, one.resource)) }));
}

const brings = ({ status }: Release, resource: Resource): boolean =>
  without([resource], status?.resources ?? []).length === 0;

async function recordedObjects(
  resources: readonly Resource[],
  reads: ReleaseReads,
): Promise<readonly RecordedObject[]> {
  return Promise.all(
    resources.map(async (resource) => {
      const { kind = "", name = "", namespace } = resource;
      const found = await recordedObject(
        resource,
        (apiVersion) => reads.object({ apiVersion, kind, name, namespace }),
        (what) => reads.knows(what),
      );
      return { resource, ...found };
    }),
  );
}
