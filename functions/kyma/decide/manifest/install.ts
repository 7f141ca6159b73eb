import {
  apply,
  create,
  type Effects,
  inOrder,
  later,
  note,
  type Obj,
  patch,
  type Results,
  remove,
  type Time,
} from "../../../../shared/function/index.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { ANNOTATIONS, Manifest, RuntimeObject, type SyncedObject } from "../../kinds/index.ts";
import { defaultObjectsToRecord } from "./default-objects.ts";
import { heldBack, missingOf, waitsOf, withNeeds } from "./grace.ts";
import { entryOf, lacks, recordWith, recordWithout } from "./inventory.ts";
import { leftNotes } from "./left.ts";
import { bringerOf } from "./marks.ts";
import { goneWait, kindWait, manifestWait, namedEntry, namedOf } from "./named.ts";
import { comesFirst, isDefinition, isServed } from "./objects.ts";
import { type Applied, REFUSED, RETRY, refusalOf } from "./refusal.ts";
import { askedOf, withFormers, withHandled } from "./trusted.ts";
import { judged } from "./verdict.ts";
import type {
  Artifact,
  Farewell,
  FoundObject,
  InstallWorld,
  Live,
  Report,
  Target,
  Waiting,
  Work,
} from "./world.ts";

type Self = Obj<typeof Manifest>;
const nothing = (report: Report): Work => ({ effects: [], definitions: [], report: () => report });

/** The digest of the artifact that a Manifest names. */
export const refOf = ({ spec }: Pick<Self, "spec">): string => {
  const ref = spec?.install.source.ref;
  return typeof ref === "string" ? ref : "";
};

/** Decides what is done next to have a module stand in its runtime as its Manifest says. */
export function installation(self: Self, cluster: string, world: InstallWorld, now: Time): Work {
  const { artifact } = world;
  if (artifact.state === "out of reach")
    return nothing(withHandled(outOfReach(self, artifact, now), world.handled, now));
  if (artifact.state === "to be handled") return recording(self, artifact.handlers);
  if (artifact.state === "faulty") return nothing({ state: "Error", message: artifact.message });
  if (world.isTruncated) return truncated(self, world);
  const taken = takenDefinition(self, world);
  if (taken !== undefined) return nothing(taken);
  const wanted = artifact.objects.map(entryOf);
  const stored = self.status?.synced ?? [];
  // Whoever wants a module gone takes it out: a file that was left empty takes nothing from anybody.
  if (wanted.length + artifact.unplaced.length === 0 && stored.length > 0 && askedOf(self).length === 0)
    return nothing({
      state: "Error",
      message: `the artifact ${refOf(self)} holds no object, and ${stored.length} stand: publish a version that has them`,
    });
  if (lacks(stored, wanted))
    return nothing({
      state: "Processing",
      message: `${wanted.length} objects are to be applied`,
      synced: recordWith(stored, wanted),
      resources: true,
      again: true,
    });
  const { refused, needs: secrets } = world.injection ?? { refused: undefined, needs: [] };
  if (refused !== undefined) return nothing({ state: "Error", message: refused, waits: waitsOf(secrets) });
  const isInstalled = self.metadata.annotations[ANNOTATIONS.syncedArtifact] === refOf(self);
  // Also an installed module is left as it is then: a Secret without its content would take it from the runtime.
  if (missingOf(secrets).length > 0 || (!isInstalled && missingOf(world.needs).length > 0))
    return holding(cluster, artifact, heldBack(self, world.needs, world.grace, now), now);
  return isEstablished(artifact.objects, world.definitions)
    ? applyingAll(self, cluster, world, artifact, now)
    : applyingDefinitions(cluster, artifact, now);
}

/** An installed module stays as it is: a registry that is away takes nothing from it. */
function outOfReach(
  self: Self,
  { layer }: Extract<Artifact, { readonly state: "out of reach" }>,
  now: Time,
): Report {
  const { message } = layer;
  if (layer.state === "faulty") return { state: "Error", message };
  const isInstalled = self.metadata.annotations[ANNOTATIONS.syncedArtifact] === refOf(self);
  const state = self.status?.state;
  const notBefore = layer.state === "failed" ? layer.notBefore : undefined;
  return {
    state:
      isInstalled && (state === "Ready" || state === "Processing" || state === "Warning") ? state : "Error",
    message,
    wakeAt: { artifact: notBefore ?? later(now, layer.state === "failed" ? RETRY : REFUSED) },
  };
}

/** The record of those who act outside for the module, before they do: each is told when it goes. */
const recording = (self: Self, handlers: readonly string[]): Work => ({
  effects: patch(Manifest, self, { annotations: { [ANNOTATIONS.handledBy]: handlers.join(",") } }),
  definitions: [],
  report: () => ({ state: "Processing", message: "its trusted handler is to be asked", again: true }),
});

/** A part of the artifact was lost on the way: it is asked for anew, and nothing is taken from what stands. */
function truncated(self: Self, { surplus }: InstallWorld): Work {
  const [first] = surplus;
  const message = `the artifact brings ${surplus.length} objects less than before under the same digest, ${first?.entry.kind} ${first?.entry.name} among them: nothing is deleted`;
  return {
    effects: note(self, "Warning", "ArtifactTruncated", message),
    definitions: [],
    report: () => ({ state: "Warning", message, again: true }),
  };
}

/** A definition that another module has brought stays that one's, as long as that has its Manifest. */
function takenDefinition(self: Self, { definitions, absentBringers }: InstallWorld): Report | undefined {
  for (const live of definitions.values()) {
    const bringer = bringerOf(live);
    if (bringer === undefined || bringer === self.metadata.name || absentBringers?.has(bringer)) continue;
    const { name } = live.metadata;
    return {
      state: "Error",
      message: `the definition ${name} belongs to Manifest ${bringer}: take it out of one of the two artifacts`,
      waits: [{ for: `the definition ${name} to be free`, of: namedOf(live) }],
    };
  }
  return undefined;
}

/** True once the runtime serves all kinds that the artifact itself brings. */
const isEstablished = (
  objects: readonly ApplicableObject[],
  definitions: ReadonlyMap<string, Live>,
): boolean =>
  objects.filter(isDefinition).every((object) => {
    const live = definitions.get(object.metadata.name);
    return live !== undefined && isServed(live);
  });

type Known = Extract<Artifact, { readonly state: "known" }>;
const applyTo = (cluster: string, { metadata, ...object }: ApplicableObject) =>
  apply(RuntimeObject, { ...object, metadata: { ...metadata, cluster } }, { force: true });

/** Applies what others may need of a module that is held back itself: so no two modules wait for each other's kinds. */
function holding(cluster: string, { objects }: Known, held: Report, now: Time): Work {
  const applied = objects.filter(comesFirst).map((object) => ({ object, effect: applyTo(cluster, object) }));
  return {
    effects: applied.map(({ effect }) => effect),
    definitions: objects.filter(isDefinition),
    report: (results) => refusalOf(applied, results, now) ?? { ...held, resources: true },
  };
}

/** Applies what the others need; they follow once the runtime serves the new kinds. */
function applyingDefinitions(cluster: string, { objects }: Known, now: Time): Work {
  const applied = objects.filter(comesFirst).map((object) => ({ object, effect: applyTo(cluster, object) }));
  return {
    effects: applied.map(({ effect }) => effect),
    definitions: objects.filter(isDefinition),
    report: (results) => {
      const refused = refusalOf(applied, results, now);
      if (refused !== undefined) return refused;
      const open = applied.flatMap(({ object, effect }) => {
        const result = results(effect);
        return isDefinition(object) && result.state === "done" && !isServed(result.value) ? [object] : [];
      });
      return {
        state: "Processing",
        message:
          open.length === 0
            ? "the definitions stand"
            : `waits for ${open.length} definitions to be established, ${open[0]?.metadata.name} among them`,
        resources: true,
        waits: open.map((object) => ({
          for: `the definition ${object.metadata.name} to be established`,
          of: namedOf(object),
        })),
        again: open.length === 0,
      };
    },
  };
}

/** Applies everything, and takes away what the artifact no longer brings. */
function applyingAll(
  self: Self,
  cluster: string,
  { surplus, operator, resource, needs, handled, formers = [] }: InstallWorld,
  { objects, unplaced }: Known,
  now: Time,
): Work {
  const applied: readonly Applied[] = objects.map((object) => ({
    object,
    effect: applyTo(cluster, object),
  }));
  const own = resource?.state === "makeable" ? makingOf(cluster, resource.object) : undefined;
  const mine = surplus.filter(({ live, claim }) => live !== undefined && claim === undefined);
  const going = mine.filter(({ users = [] }) => users.length === 0);
  const removals = going.flatMap(({ live }) =>
    live === undefined || live.metadata.deletionTimestamp !== undefined ? [] : [remove(RuntimeObject, live)],
  );
  const ref = refOf(self);
  // The digest stands for all of the record only once that holds nothing else.
  const isNoted =
    self.metadata.annotations[ANNOTATIONS.syncedArtifact] === ref || unplaced.length + surplus.length > 0;
  const record = defaultObjectsToRecord(self);
  const effects: Effects<Target> = inOrder<Target>(
    applied.filter(({ object }) => comesFirst(object)).map(({ effect }) => effect),
    applied.filter(({ object }) => !comesFirst(object)).map(({ effect }) => effect),
    own === undefined ? [] : own.effect,
    [removals, leftNotes(self, surplus)],
    noting(self, {
      ...(!isNoted && { [ANNOTATIONS.syncedArtifact]: ref }),
      ...(record !== undefined && { [ANNOTATIONS.defaultObjects]: record }),
      ...withoutTold(self, formers),
    }),
  );
  return {
    effects,
    definitions: objects.filter(isDefinition),
    report: (results) => {
      const made =
        own !== undefined && results(own.effect).state === "done" ? ({ moduleCR: true } as const) : {};
      const synced = recordWithout(self.status?.synced ?? [], over(surplus, mine));
      const refused = refusalOf(own === undefined ? applied : [...applied, own], results, now);
      const said = { synced, resources: true, ...made };
      if (refused !== undefined) return { ...refused, ...said };
      const waits: readonly Waiting[] = [
        ...unplaced.map((object) => kindWait(namedOf(object))),
        ...(resource?.state === "kind missing" ? [kindWait(resource.of)] : []),
        ...going.map(({ entry, live }) => goneWait(live === undefined ? namedEntry(entry) : namedOf(live))),
        ...applied.flatMap((one) => leavingOf(one, results)),
      ];
      const verdict = withFormers(
        withHandled(
          withNeeds(judged(self.status, operator, applied, results, mine, waits, now), needs),
          handled,
          now,
        ),
        formers,
        now,
      );
      // No module is held up by what another one is to let go of first.
      const passing = surplus.flatMap(({ claim }) =>
        claim?.isPassing === true ? [manifestWait(claim.by, self.metadata.namespace)] : [],
      );
      return {
        ...verdict,
        ...said,
        waits: [...(verdict.waits ?? []), ...passing],
        again: surplus.length > 0,
      };
    },
  };
}

/** The wait for an object to be gone that somebody deletes: what is applied to it goes with it, and then it is made anew. */
function leavingOf({ effect }: Applied, results: Results): readonly Waiting[] {
  const result = results(effect);
  const isLeaving = result.state === "done" && result.value.metadata.deletionTimestamp !== undefined;
  return isLeaving ? [goneWait(namedOf(result.value))] : [];
}

/** The entries whose objects are gone, or are others' now. One that another lets go of is still to go with this module. */
const over = (surplus: readonly FoundObject[], mine: readonly FoundObject[]): readonly SyncedObject[] =>
  surplus.filter((one) => !mine.includes(one) && one.claim?.isPassing !== true).map(({ entry }) => entry);

const makingOf = (cluster: string, object: ApplicableObject): Applied => {
  const { metadata, ...fields } = object;
  return { object, effect: create(RuntimeObject, { ...fields, metadata: { ...metadata, cluster } }) };
};

type Annotations = Readonly<Record<string, string | null>>;
const noting = (self: Self, annotations: Annotations): Effects<Target> =>
  Object.keys(annotations).length === 0 ? [] : patch(Manifest, self, { annotations });

/** The handlers that may have done something, without those that are done with it. */
function withoutTold(self: Self, formers: readonly Farewell[]): Annotations {
  const told = formers.filter(({ isOver }) => isOver).map(({ handler }) => handler);
  if (told.length === 0) return {};
  const rest = askedOf(self).filter((name) => !told.includes(name));
  return { [ANNOTATIONS.handledBy]: rest.length === 0 ? null : rest.join(",") };
}
