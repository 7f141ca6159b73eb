import type { ClusterState, Obj, SlotPlace } from "../../../../shared/function/index.ts";
import { type Kyma, LABELS, type Manifest } from "../../kinds/index.ts";
import type { Provider } from "../dependencies/index.ts";
import { defaultObjects } from "./default-objects.ts";
import { foundObjects } from "./found.ts";
import { isHandedOver } from "./hand-over.ts";
import { keyOf } from "./inventory.ts";
import { isMarked } from "./marks.ts";
import { entryNamed } from "./named.ts";
import { kindOf, scopeKey } from "./objects.ts";
import { observeInstall, type RuntimeReads } from "./observe-install.ts";
import { kymaOf } from "./owner.ts";
import { isGone } from "./removal.ts";
import { withClaims } from "./siblings.ts";
import { askedOf, takenLeaveOf } from "./trusted.ts";
import { namesOf, usersOf } from "./users.ts";
import type { FoundObject, InstallWorld, Live, ManifestSettings, ManifestWorld, Named } from "./world.ts";

type Self = Obj<typeof Manifest>;
type There = { readonly cluster: string };
type Of<Name extends "object" | "objects" | "knows"> = Parameters<RuntimeReads[Name]>[0] & There;

/** The reads that a decision about a Manifest needs. */
export interface ManifestReads extends Pick<RuntimeReads, "components" | "handlers" | "secret"> {
  kyma(at: { readonly name: string; readonly namespace: string }): Promise<Obj<typeof Kyma> | undefined>;
  /** Another Manifest. */
  manifest(at: { readonly name: string; readonly namespace: string }): Promise<Provider | undefined>;
  /** All Manifests of a Kyma. */
  manifests(of: { readonly kyma: string; readonly namespace: string }): Promise<readonly Self[]>;
  /** The state of a runtime. */
  there(cluster: string): Promise<ClusterState>;
  object(at: SlotPlace & There): Promise<Live | undefined>;
  objects(of: Of<"objects">): Promise<readonly Live[]>;
  knows(of: Of<"knows">): ReturnType<RuntimeReads["knows"]>;
}

/** Reads what a decision about a Manifest rests on, and no more. */
export async function observeManifest(
  self: Self,
  reads: ManifestReads,
  settings: ManifestSettings,
): Promise<ManifestWorld> {
  const { namespace, deletionTimestamp } = self.metadata;
  const kyma = kymaOf(self);
  if (kyma === "") return { step: "unlabelled" };
  if (self.metadata.labels[LABELS.kymaName] !== kyma) return { step: "mislabelled", kyma };
  const isDeleting = deletionTimestamp !== undefined;
  const owner = isDeleting ? undefined : await reads.kyma({ name: kyma, namespace });
  if (!isDeleting && owner === undefined) return { step: "orphan" };
  const there = await reads.there(kyma);
  const { cluster } = there;
  const synced = self.status?.synced ?? [];
  if (isHandedOver(self)) {
    // A runtime that is gone has nothing to be handed over.
    if (there.state === "no secret") return { step: "hand over", there, found: [] };
    if (there.state !== "reachable") return { step: "away", there };
    return {
      step: "hand over",
      there,
      found: await foundObjects(synced, runtimeReads(self, cluster, reads)),
    };
  }
  const runtime = runtimeReads(self, cluster, reads);
  if (there.state !== "reachable") {
    // A deed outside outlives the runtime.
    const isLeft = isDeleting && there.state === "no secret";
    return { step: "away", there, farewells: isLeft ? await takenLeaveOf(self, askedOf(self), runtime) : [] };
  }
  if (owner !== undefined && there.isUnmarked === true) return { step: "unmarked", there, kyma: owner };
  const claimed = (found: readonly FoundObject[]) =>
    withClaims(self, found, {
      siblings: () => reads.manifests({ kyma, namespace }),
      isThere: async (name) => (await reads.manifest({ name, namespace })) !== undefined,
    });
  const installed = async (): Promise<InstallWorld> => {
    const install = await observeInstall(self, runtime, settings);
    return { ...install, surplus: await claimed(install.surplus) };
  };
  if (!isDeleting) return { step: "install", there, install: await installed() };
  const { blockers, own } = await resourcesOf(self, runtime);
  if (blockers.length === 0 && own === undefined) {
    const found = await claimed(oursOf(await foundObjects(synced, runtime), there));
    const farewells = isGone(found) ? await takenLeaveOf(self, askedOf(self), runtime) : [];
    return { step: "removal", there, found, farewells };
  }
  const install = synced.length === 0 ? undefined : await installed();
  return { step: "blocked", there, blockers, own, install };
}

/**
 * The objects without those that are none of ours: in a cluster that nobody has marked nothing was ever brought, or the mark went before the last
 * modules, whose objects bear theirs. A Secret that was changed while a Kyma goes may lead to any cluster.
 */
const oursOf = (found: readonly FoundObject[], { isUnmarked }: ClusterState): readonly FoundObject[] =>
  isUnmarked !== true
    ? found
    : found.map((one) => (one.live === undefined || isMarked(one.live) ? one : { ...one, live: undefined }));

/** The objects of a module's own kinds: a default configuration object, and those of users, which nobody may lose. */
async function resourcesOf(
  self: Self,
  reads: RuntimeReads,
): Promise<{ readonly blockers: readonly Named[]; readonly own: Live | undefined }> {
  const places = defaultObjects(self);
  const kinds = new Map(
    places.map(({ apiVersion, kind }) => [scopeKey(kindOf({ apiVersion, kind })), { apiVersion, kind }]),
  );
  const found = await Promise.all([...kinds.values()].map((of) => usersOf(of, reads.objects)));
  const owns = new Set(
    self.spec?.customResourcePolicy === "CreateAndDelete"
      ? found.flatMap(({ readable }) => readable.filter((one) => places.some((at) => isDefault(one, at))))
      : [],
  );
  // The artifact may bring objects of such a kind, which are no users': they go with the module.
  const brought = new Set((self.status?.synced ?? []).map(keyOf));
  const blockers = found.map((users) =>
    namesOf({ ...users, readable: users.readable.filter((one) => !owns.has(one)) }).filter(
      (one) => !brought.has(keyOf(entryNamed(one))),
    ),
  );
  // A status names the objects of one kind.
  return { blockers: blockers.find((some) => some.length > 0) ?? [], own: [...owns][0] };
}

const isDefault = (live: Live, at: Named): boolean =>
  scopeKey(kindOf(live)) === scopeKey(kindOf(at)) &&
  live.metadata.name === at.name &&
  (live.metadata.namespace === undefined || live.metadata.namespace === at.namespace);

/** The reads of one runtime. */
const runtimeReads = (self: Self, cluster: string, reads: ManifestReads): RuntimeReads => ({
  components: reads.components,
  handlers: reads.handlers,
  kyma: () => reads.kyma({ name: kymaOf(self), namespace: self.metadata.namespace }),
  secret: reads.secret,
  sibling: (name) => reads.manifest({ name, namespace: self.metadata.namespace }),
  object: (at) => reads.object({ ...at, cluster }),
  objects: (of) => reads.objects({ ...of, cluster }),
  knows: (of) => reads.knows({ ...of, cluster }),
});
