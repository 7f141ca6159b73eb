import {
  type AnyObject,
  type Effects,
  note,
  type Obj,
  remove,
  setStatus,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import {
  type Kyma,
  type KymaStatus,
  Manifest,
  RuntimeDefinition,
  RuntimeKyma,
  RuntimeObject,
  runtimes,
} from "../../kinds/index.ts";
import { conditionsOf } from "../conditions/index.ts";
import { lastOperation, type ModulesStatus, moduleOf, ofManifest } from "../modules/index.ts";
import { copiedStatus, KYMA_DEFINITION } from "../runtime/index.ts";
import type { DeletionWorld, LeftThere } from "./world.ts";

type Target = "Manifest" | "runtime/Kyma" | "runtime/CustomResourceDefinition" | "runtime/module-object";

/** A step of a deletion: nothing that comes later is begun before it is done. */
interface Step {
  /** The rest of a sentence that begins with "It waits for". */
  readonly waitsFor: string;
  readonly effects: Effects<Target>;
  readonly waits: readonly Wait[];
  /** True: it is done with its effects. */
  readonly again?: boolean;
}

/**
 * Takes away a Kyma, in an order that is always the same: its user sees that it goes, its modules are asked to go, then what tells of changes,
 * the catalog, the Kyma in the runtime and its definition. It is gone when the last Manifest is (3.8).
 */
export function kymaDeletion(self: Obj<typeof Kyma>, { manifests, left }: DeletionWorld, now: Time) {
  const step = firstOf(self, manifests, left);
  if (step === undefined)
    return { effects: note(self, "Normal", "Deleted", "Nothing is left of its modules."), finalized: true };
  return {
    effects: step.effects,
    status: deletingStatus(self.status, manifests, `It waits for ${step.waitsFor}.`, now),
    waitingFor: step.waits,
    again: step.again ?? true,
  };
}

function firstOf(
  self: Obj<typeof Kyma>,
  manifests: readonly Obj<typeof Manifest>[],
  left: LeftThere,
): Step | undefined {
  // Its own state comes first: what is told in the runtime follows from it.
  if (self.status?.state !== "Deleting")
    return { waitsFor: "its modules to be asked to go", effects: [], waits: [] };
  return (
    toldThere(self.status, left) ??
    askedToGo(manifests) ??
    withoutProgram(left) ??
    withoutCatalog(left) ??
    lastManifest(manifests)
  );
}

/** Its user sees in the runtime that it is being deleted. */
function toldThere(status: KymaStatus, left: LeftThere): Step | undefined {
  if (left.state === "away")
    return {
      waitsFor: `its runtime, which may hold modules and does not answer: ${left.there.reason}`,
      effects: [],
      waits: [left.there.wait],
    };
  if (left.state === "none" || left.kyma === undefined || isDeleting(left.kyma)) return undefined;
  const told = copiedStatus(status);
  if (left.kyma.status?.state === "Deleting" || sameJson(left.kyma.status, told)) return undefined;
  return {
    waitsFor: "its user to be told in the runtime",
    effects: setStatus(RuntimeKyma, left.kyma, told),
    waits: [],
  };
}

function askedToGo(manifests: readonly Obj<typeof Manifest>[]): Step | undefined {
  const asked = manifests.filter((manifest) => !isDeleting(manifest));
  if (asked.length === 0) return undefined;
  return {
    waitsFor: "its modules to go",
    effects: asked.map((manifest) => remove(Manifest, manifest)),
    waits: [],
  };
}

/** Nothing in the runtime tells of changes any more. */
function withoutProgram(left: LeftThere): Step | undefined {
  if (left.state !== "there") return undefined;
  const there = left.program.filter((object) => !isDeleting(object));
  if (there.length === 0) return undefined;
  return {
    waitsFor: "what tells of changes in the runtime to go",
    effects: there.map((object) => remove(RuntimeObject, object)),
    waits: [],
  };
}

function withoutCatalog(left: LeftThere): Step | undefined {
  if (left.state !== "there") return undefined;
  const { cluster, kyma, definitions } = left;
  const [definition] = definitions;
  if (definition === undefined) return undefined;
  // The Kyma goes before its own definition, which would take it along.
  if (definition.metadata.name === KYMA_DEFINITION && kyma !== undefined)
    return gone(kyma, cluster, isDeleting(kyma) ? [] : remove(RuntimeKyma, kyma));
  return gone(definition, cluster, isDeleting(definition) ? [] : remove(RuntimeDefinition, definition));
}

const gone = (
  { apiVersion, kind, metadata: { name, namespace } }: AnyObject,
  cluster: string,
  effects: Effects<Target>,
): Step => ({
  waitsFor: `${kind} ${name} in the runtime to be gone`,
  effects,
  waits: [
    {
      for: `${kind} ${name} in ${cluster} to be gone`,
      object: { apiVersion, kind, name, namespace, cluster: runtimes.named(cluster) },
    },
  ],
});

const lastManifest = (manifests: readonly Obj<typeof Manifest>[]): Step | undefined =>
  manifests.length === 0
    ? undefined
    : { waitsFor: `its modules to be gone: ${manifests.map(moduleOf).join(", ")}`, effects: [], waits: [] };

/** The status of a Kyma that is being deleted: what is left of its modules, and what is waited for. */
function deletingStatus(
  stored: KymaStatus | undefined,
  manifests: readonly Obj<typeof Manifest>[],
  operation: string,
  now: Time,
): ModulesStatus {
  const modules = manifests.map((manifest) => {
    const message = manifest.status?.lastOperation?.operation;
    return {
      name: moduleOf(manifest),
      ...ofManifest(manifest),
      state: "Deleting" as const,
      maintenance: false,
      ...(message !== undefined && { message }),
    };
  });
  return {
    state: "Deleting",
    ...(stored?.activeChannel !== undefined && { activeChannel: stored.activeChannel }),
    ...(modules.length > 0 && { modules }),
    lastOperation: lastOperation(stored, operation, now),
    conditions: conditionsOf(stored, ["Modules"], [], now),
  };
}
