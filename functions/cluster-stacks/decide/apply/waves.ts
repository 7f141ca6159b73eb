import {
  type AnyObject,
  atMost,
  type Effect,
  type Effects,
  type Results,
} from "../../../../shared/function/index.ts";
import { fieldsOf } from "../../../../shared/json/fields.ts";
import { identityKey } from "../../../../shared/manifests/inventory.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import type { Resource } from "../../kinds/index.ts";
import { inApplyOrder } from "./objects.ts";
import { asksForRecreation } from "./recreate.ts";
import { refusalOf } from "./refusal.ts";

const RECREATED = "it cannot be changed, and is deleted and made anew, as it asks";
const GOING = "it is being deleted, and is made anew once it is gone";

/** An object of a chart as it is going to be applied, and its entry in the record. */
export interface RenderedObject {
  readonly object: ApplicableObject;
  readonly resource: Resource;
  /** The release that brings it too and holds it, as `namespace/name`. */
  readonly heldBy?: string | undefined;
}

/** Applies that go in waves, and the effect of each object, by which its result is asked for. */
export interface Waves<T extends string, Live extends AnyObject> {
  readonly each: readonly (RenderedObject & { readonly effect: Effect<T, Live> })[];
  readonly effects: Effects<T>;
}

/** The applies of objects in their order: a wave begins when the one before has ended, well or not. One object does not stop the others. */
export function inWaves<T extends string, Live extends AnyObject>(
  objects: readonly RenderedObject[],
  effectOf: (object: ApplicableObject, heldBy: string | undefined) => Effect<T, Live>,
): Waves<T, Live> {
  const ordered = inApplyOrder(objects.map((one) => ({ ...one.resource, one })));
  const waves = ordered.map((wave) =>
    wave.map(({ one }) => ({ ...one, effect: effectOf(one.object, one.heldBy) })),
  );
  return {
    each: waves.flat(),
    effects: atMost(
      1,
      waves.map((wave) => wave.map(({ effect }) => effect)),
    ),
  };
}

/** The result of applies. */
export interface Application<Live> {
  /** The record, with what came of each object. */
  readonly resources: Resource[];
  /** True where a refused apply may succeed later, without anybody changing anything. */
  readonly mayPass: boolean;
  /** True where one never will. */
  readonly isRefused: boolean;
  /** The objects whose kind is not there yet. */
  readonly missing: readonly ApplicableObject[];
  /** The objects that somebody deletes: what was applied to them goes with them. */
  readonly going: readonly Live[];
  /** True where one is to be deleted and made anew. */
  readonly recreates: boolean;
  /** The entries of what another release holds, and has otherwise. */
  readonly held: readonly Resource[];
}

/**
 * Enters into the record what came of the applies.
 * @param place where they were made
 */
export function applicationOf<Live extends AnyObject>(
  each: Waves<string, Live>["each"],
  record: readonly Resource[],
  results: Results,
  place: Parameters<typeof refusalOf>[1] = "home",
): Application<Live> {
  const said = new Map<string, Resource>();
  const missing: ApplicableObject[] = [];
  const going: Live[] = [];
  const tried = new Set(record.filter(({ recreate }) => recreate === true).map(identityKey));
  const held: Resource[] = [];
  let recreates = false;
  let mayPass = false;
  let isRefused = false;
  for (const { resource, object, effect, heldBy } of each) {
    const result = results(effect);
    if (result.state === "not run") continue;
    if (result.state === "done") {
      const isGoing = result.value?.metadata.deletionTimestamp !== undefined;
      if (isGoing) going.push(result.value);
      said.set(identityKey(resource), {
        ...resource,
        ...(isGoing ? { status: "not-synced", error: GOING } : { status: "synced" }),
      });
      continue;
    }
    if (heldBy !== undefined && result.error.code === "APPLY_WOULD_CHANGE") {
      const entry: Resource = { ...resource, status: "not-synced", error: heldText(heldBy) };
      held.push(entry);
      said.set(identityKey(resource), entry);
      continue;
    }
    const refusal = refusalOf(result.error, place);
    // Once: one that was made anew and is refused all the same is for its author.
    if (refusal.isFixed && asksForRecreation(object) && !tried.has(identityKey(resource))) {
      recreates = true;
      said.set(identityKey(resource), {
        ...resource,
        status: "not-synced",
        error: RECREATED,
        recreate: true,
      });
      continue;
    }
    said.set(identityKey(resource), { ...resource, status: "not-synced", error: refusal.error });
    mayPass ||= refusal.mayPass;
    isRefused ||= !refusal.mayPass && !refusal.kindMissing;
    if (refusal.kindMissing) missing.push(object);
  }
  const stages = new Set(each.map(({ resource }) => resource.stage));
  const isLost = (resource: Resource): boolean =>
    stages.has(resource.stage) && going.some((live) => takesAlong(live, resource));
  return {
    resources: record
      .map((resource) => said.get(identityKey(resource)) ?? resource)
      .map((resource) =>
        resource.status === "synced" && isLost(resource)
          ? { ...resource, status: "not-synced", error: GOING }
          : resource,
      ),
    mayPass,
    isRefused,
    missing,
    going,
    recreates,
    held,
  };
}

/** True for what goes with an object that is being deleted: with a namespace what lies in it, with a definition the objects of its kind. */
function takesAlong(
  { apiVersion, kind, metadata, ...fields }: AnyObject,
  { group = "", kind: ofKind, namespace }: Resource,
): boolean {
  if (apiVersion === "v1" && kind === "Namespace") return namespace === metadata.name;
  if (kind !== "CustomResourceDefinition") return false;
  const spec = fieldsOf("spec" in fields ? fields.spec : undefined);
  return spec.group === group && fieldsOf(spec.names).kind === ofKind;
}

const heldText = (holder: string): string =>
  `it is of the release ${holder}, and is otherwise than this release brings it: give it another name in one of the two, or let go of that release`;
