import type { Obj, SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { fieldOf, fieldsOf, isRecord } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { namespaceOf, type Scope } from "../../../../shared/manifests/objects.ts";
import {
  ANNOTATIONS,
  type InjectedSecret,
  type Manifest,
  RUNTIME_NAMESPACE,
  type SyncedObject,
} from "../../kinds/index.ts";
import type { Components } from "../../ports/components/index.ts";
import type { Provider } from "../dependencies/index.ts";
import { artifactOf, layerSource, operatorAt } from "./artifact.ts";
import { ownPlace } from "./default-objects.ts";
import { withFirstMarks } from "./first-marks.ts";
import { foundObjects, liveAt } from "./found.ts";
import { missingOf } from "./grace.ts";
import { injected } from "./injection.ts";
import { refOf } from "./install.ts";
import { entryOf, isTruncated, surplus } from "./inventory.ts";
import { bringerOf } from "./marks.ts";
import { observeNeeds } from "./needs.ts";
import { definedScopes, isDefinition, kindOf, layerObjects, scopeKey } from "./objects.ts";
import { hasOwnResource, isResourceMade } from "./status.ts";
import { askedOf, consulted, formersOf, type HandlerReads, isAnswered, takenLeaveOf } from "./trusted.ts";
import { DEFINITIONS, namesOf, type ReadObjects, usersOfDefinition } from "./users.ts";
import type {
  Artifact,
  FoundObject,
  InstallWorld,
  Live,
  ManifestSettings,
  Named,
  Operator,
  OwnResource,
} from "./world.ts";

type Self = Obj<typeof Manifest>;

/** The reads of one runtime that an installation needs. */
export interface RuntimeReads extends HandlerReads {
  readonly components: Components;
  object(at: SlotPlace): Promise<Live | undefined>;
  /** The objects of a kind, in a namespace and with labels where these are given. */
  objects(of: Parameters<ReadObjects>[0] & Where): Promise<readonly Live[]>;
  /** A Secret of the control plane whose content a module may have. */
  secret(name: string): Promise<Obj<typeof InjectedSecret> | undefined>;
  /** A Manifest beside this one. */
  sibling(name: string): Promise<Provider | undefined>;
  knows(of: Parameters<ReadObjects>[0]): Promise<{ readonly scope: "Namespaced" | "Cluster" } | undefined>;
}
interface Where {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const NOTHING = {
  definitions: new Map<string, Live>(),
  surplus: [],
  isTruncated: false,
  operator: undefined,
  resource: undefined,
  needs: [],
} as const;

/** Reads what a decision about an installation rests on. */
export async function observeInstall(
  self: Self,
  reads: RuntimeReads,
  settings: ManifestSettings,
): Promise<InstallWorld> {
  const remembered = await observeWith(self, reads, settings, false);
  // The warning was said once and still holds: the remembered artifact does not count any more.
  return remembered.isTruncated && self.status?.state === "Warning"
    ? observeWith(self, reads, settings, true)
    : remembered;
}

async function observeWith(
  self: Self,
  reads: RuntimeReads,
  settings: ManifestSettings,
  anew: boolean,
): Promise<InstallWorld> {
  const grace = `${settings.dependencyGraceMinutes}m` as const;
  const nothing = { ...NOTHING, grace };
  const source = layerSource(self);
  if (typeof source === "string") return { ...nothing, artifact: { state: "faulty", message: source } };
  const layer = await reads.components.layer(source, { anew });
  if (layer.state !== "read") return { ...nothing, artifact: { state: "out of reach", layer } };
  const read = layerObjects(layer.documents);
  if ("fault" in read)
    return {
      ...nothing,
      artifact: { state: "faulty", message: `the artifact ${source.ref}: ${read.fault}` },
    };
  const needs = await observeNeeds(self, {
    definitions: () => reads.objects(DEFINITIONS),
    sibling: reads.sibling,
  });
  const isInstalled = self.metadata.annotations[ANNOTATIONS.syncedArtifact] === refOf(self);
  // Nothing is done outside for a module that is held back.
  const isHeldBack = !isInstalled && missingOf(needs).length > 0;
  const answer = isHeldBack
    ? undefined
    : await consulted(self, self.spec?.resource ? ownPlace(self) : undefined, reads);
  if (answer !== undefined && "layer" in answer)
    return { ...nothing, artifact: { state: "out of reach", layer: answer.layer }, handled: answer.handled };
  if (answer !== undefined && "unrecorded" in answer)
    return { ...nothing, artifact: { state: "to be handled", handlers: answer.unrecorded } };
  const brought = [...read.objects, ...(answer?.objects ?? [])];
  const scopes = await scopesOf(brought, reads);
  const artifact = artifactOf(self, brought, (object) => scopes.get(scopeKey(kindOf(object))), settings);
  if (artifact.state !== "known") return { ...nothing, artifact };
  const { objects, ...injection } = await injected(self, artifact.objects, settings, reads.secret);
  const [observed, marked] = await Promise.all([
    observeObjects(self, { ...artifact, objects }, reads),
    withFirstMarks(self, objects, reads),
  ]);
  // Nothing uses what they made any more once this version stands alone.
  const formers =
    isInstalled && observed.surplus.length === 0 ? await takenLeaveOf(self, formersOf(self), reads) : [];
  return {
    ...observed,
    artifact: { ...artifact, objects: marked },
    needs: [...injection.needs, ...needs],
    formers,
    injection,
    ...(answer && { handled: answer.handled }),
    grace,
  };
}

/** The scopes of the kinds of objects: what the artifact itself defines need not be known to the runtime yet. */
async function scopesOf(
  objects: readonly KubeObject[],
  reads: RuntimeReads,
): Promise<ReadonlyMap<string, Scope>> {
  const scopes = new Map(definedScopes(objects));
  const kinds = new Map(objects.map((object) => [scopeKey(kindOf(object)), object]));
  await Promise.all(
    [...kinds].map(async ([key, { apiVersion, kind }]) => {
      if (scopes.has(key)) return;
      const known = await whereAdmitted(() => reads.knows({ apiVersion, kind }));
      // A kind that is not admitted is refused by its apply, in words.
      scopes.set(key, "refused" in known ? "Namespaced" : known.value?.scope);
    }),
  );
  return scopes;
}

async function observeObjects(
  self: Self,
  artifact: Extract<Artifact, { readonly state: "known" }>,
  reads: RuntimeReads,
): Promise<Omit<InstallWorld, "artifact" | "grace" | "needs">> {
  const { objects, unplaced } = artifact;
  const missing = surplus(
    self.status?.synced ?? [],
    objects.map(entryOf),
    unplaced.map((object) => ({ ...kindOf(object), name: object.metadata.name })),
  );
  const ref = refOf(self);
  const isCut = isTruncated(
    askedOf(self).length === 0 ? missing : await ofArtifact(missing, reads),
    ref,
    self.metadata.annotations[ANNOTATIONS.syncedArtifact],
  );
  const [definitions, found, operator, resource] = await Promise.all([
    Promise.all(
      objects
        .filter(isDefinition)
        .map(({ apiVersion, kind, metadata: { name } }) => reads.object({ apiVersion, kind, name })),
    ),
    isCut ? missing.map((entry) => ({ entry, live: undefined })) : surplusObjects(missing, reads),
    operatorOf(operatorAt(self, objects), reads),
    resourceOf(self, objects, reads),
  ]);
  const standing = definitions.flatMap((live) => live ?? []);
  return {
    definitions: new Map(standing.map((live) => [live.metadata.name, live])),
    absentBringers: await absentAmong(
      standing.flatMap((live) => bringerOf(live) ?? []),
      self,
      reads,
    ),
    surplus: found,
    isTruncated: isCut,
    operator,
    resource,
  };
}

/** Those of these Manifests that are no more: a runtime that comes to another Kyma still bears the marks of the former one's. */
async function absentAmong(
  bringers: readonly string[],
  { metadata: { name } }: Self,
  { sibling }: Pick<RuntimeReads, "sibling">,
): Promise<ReadonlySet<string>> {
  const others = [...new Set(bringers)].filter((bringer) => bringer !== name);
  const found = await Promise.all(others.map(sibling));
  return new Set(others.filter((_, index) => found[index] === undefined));
}

/** Those that the artifact brought: a trusted handler may take back what it answered, also one that is named no longer. */
const ofArtifact = async (
  missing: readonly SyncedObject[],
  reads: RuntimeReads,
): Promise<readonly SyncedObject[]> =>
  (await foundObjects(missing, reads))
    .filter(({ live }) => live !== undefined && !isAnswered(live))
    .map(({ entry }) => entry);

/** The objects that an artifact no longer brings: of a definition, also who would lose their objects with it. */
const surplusObjects = async (
  entries: readonly SyncedObject[],
  reads: RuntimeReads,
): Promise<readonly FoundObject[]> =>
  Promise.all(
    (await foundObjects(entries, reads)).map(async (one) =>
      one.live === undefined || !isDefinition(one.live)
        ? one
        : { ...one, users: namesOf(await usersOfDefinition(one.live, reads.objects)) },
    ),
  );

async function operatorOf(named: Named | undefined, reads: RuntimeReads): Promise<Operator | undefined> {
  if (named === undefined) return undefined;
  const at = await placed(named, reads);
  const live = await liveAt(at, reads);
  const labels = fieldOf(fieldOf(live?.spec, "selector"), "matchLabels");
  const isSet = at.kind === "StatefulSet" && isRecord(labels) && at.namespace !== undefined;
  const pods = isSet
    ? await reads.objects({
        apiVersion: "v1",
        kind: "Pod",
        namespace: at.namespace ?? "",
        labels: labels as Readonly<Record<string, string>>,
      })
    : [];
  return { at, live, pods };
}

/** An object that is named without a namespace in the one that modules share, where its kind has any. */
async function placed(named: Named, reads: RuntimeReads): Promise<Named> {
  if (named.namespace !== undefined) return named;
  const { apiVersion, kind } = named;
  const known = await whereAdmitted(() => reads.knows({ apiVersion, kind }));
  const scope = "refused" in known ? undefined : known.value?.scope;
  return scope === "Namespaced" ? { ...named, namespace: RUNTIME_NAMESPACE } : named;
}

/** The default configuration object, where it is yet to be made. */
async function resourceOf(
  self: Self,
  objects: readonly KubeObject[],
  reads: RuntimeReads,
): Promise<OwnResource | undefined> {
  const { resource } = self.spec ?? {};
  const isDeleting = self.metadata.deletionTimestamp !== undefined;
  if (!hasOwnResource(self) || !resource || isResourceMade(self) || isDeleting) return undefined;
  const at = ownPlace(self);
  const { apiVersion, kind, metadata, ...fields } = resource;
  const known = await whereAdmitted(() => reads.knows({ apiVersion, kind }));
  const scope =
    "refused" in known
      ? "Namespaced"
      : (known.value?.scope ?? definedScopes(objects).get(scopeKey(kindOf({ apiVersion, kind }))));
  if (scope === undefined) return { state: "kind missing", of: at };
  const object: KubeObject = { apiVersion, kind, metadata: { ...fieldsOf(metadata), name: at.name } };
  const namespace = namespaceOf(object, scope, RUNTIME_NAMESPACE);
  const { labels = {}, annotations = {} } = object.metadata;
  return {
    state: "makeable",
    object: {
      ...fields,
      apiVersion,
      kind,
      metadata: { name: at.name, ...(namespace !== undefined && { namespace }), labels, annotations },
    },
  };
}
