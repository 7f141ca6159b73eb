import {
  type AnyObject,
  type Effects,
  inOrder,
  note,
  type Obj,
  type Results,
  remove,
  setStatus,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import {
  CertificateObject,
  KYMA_FINALIZER,
  type Kyma,
  type KymaStatus,
  Manifest,
  type ModuleStatus,
  othersOn,
  RuntimeDefinition,
  RuntimeKyma,
  RuntimeObject,
  runtimes,
} from "../../kinds/index.ts";
import { isRefused, triedAgain } from "../manifest/index.ts";
import {
  isForAll,
  lastOperation,
  type ModulesStatus,
  moduleOf,
  ofManifest,
  ownConditions,
  saidOfGoing,
} from "../modules/index.ts";
import { copiedStatus, KYMA_DEFINITION, type RefusedRead } from "../runtime/index.ts";
import type { CertificateLeft, DeletionWorld, LeftThere } from "./world.ts";

type Target =
  | "Manifest"
  | "Secret"
  | (typeof CertificateObject)["id"]
  | "runtime/Kyma"
  | "runtime/CustomResourceDefinition"
  | "runtime/module-object";

/** A step of a deletion: nothing that comes later is begun before it is done. */
interface Step {
  /** The reason of its Event. */
  readonly reason: string;
  /** The rest of a sentence that begins with "It waits for". */
  readonly waitsFor: string;
  readonly effects: Effects<Target>;
  readonly waits: readonly Wait[];
  /** True: it is done with its effects. */
  readonly again?: boolean;
  /** True: nothing of ours can bring it on. */
  readonly isStuck?: true;
  /** Looked at again after a while: nobody tells that it may go on. */
  readonly refused?: RefusedRead;
}

/**
 * Takes away a Kyma, in an order that is always the same: its user sees that it goes, its modules are asked to go, then the certificate of its
 * runtime, what tells of changes, the catalog, the Kyma in the runtime and its definition. It is gone when the last Manifest is (3.8).
 */
export function kymaDeletion(self: Obj<typeof Kyma>, world: DeletionWorld, now: Time) {
  const { manifests } = world;
  const step = firstOf(self, world);
  if (step === undefined) {
    const effects = note(self, "Normal", "Deleted", "Nothing is left of its modules.");
    const others = othersOn(self, [KYMA_FINALIZER]);
    if (others === undefined) return { effects, finalized: true };
    const words = `Nothing is left of its modules. It stays as long as its finalizers name ${others}.`;
    return { effects, status: deletingStatus(self.status, manifests, words, now), finalized: true };
  }
  const waits = `It waits for ${step.waitsFor}`;
  const operation = `${waits}.`;
  const said = self.status?.lastOperation?.operation;
  const isNew = said !== operation && said?.startsWith(`${waits}: `) !== true;
  return {
    effects: [
      step.effects,
      isNew ? note(self, step.isStuck ? "Warning" : "Normal", step.reason, operation) : [],
    ],
    conclude: (results: Results) => {
      const refused = results.failed.find(({ error }) => isRefused(error))?.error;
      if (refused === undefined)
        return {
          status: deletingStatus(self.status, manifests, operation, now),
          waitingFor: step.waits,
          again: step.again ?? true,
          retry: true,
          ...(step.refused !== undefined && { wakeAt: triedAgain(step.refused, now) }),
        };
      return {
        status: deletingStatus(self.status, manifests, `${waits}: ${refused.message}`, now),
        waitingFor: step.waits,
        wakeAt: triedAgain(refused, now),
      };
    },
  };
}

function firstOf(self: Obj<typeof Kyma>, { manifests, left, certificate }: DeletionWorld): Step | undefined {
  // Its own state comes first: what is told in the runtime follows from it.
  if (self.status?.state !== "Deleting")
    return { reason: "Deleting", waitsFor: "its modules to be asked to go", effects: [], waits: [] };
  return (
    toldThere(self.status, left) ??
    askedToGo(manifests) ??
    withoutCertificate(certificate) ??
    withoutProgram(left) ??
    withoutCatalog(left) ??
    lastManifest(manifests)
  );
}

/** Its user sees in the runtime that it is being deleted. */
function toldThere(status: KymaStatus, left: LeftThere): Step | undefined {
  if (left.state === "away")
    return {
      reason: "RuntimeAway",
      isStuck: true,
      waitsFor: `its runtime, which may hold modules and does not answer: ${left.there.reason}`,
      effects: [],
      waits: [left.there.wait],
    };
  if (left.state === "refused")
    return {
      reason: "RuntimeRefuses",
      isStuck: true,
      waitsFor: `leave to look at its runtime, which may hold modules: ${left.refused.message}`,
      effects: [],
      waits: [left.there.wait],
      refused: left.refused,
    };
  if (left.state === "none" || left.kyma === undefined || isDeleting(left.kyma)) return undefined;
  const told = copiedStatus(status);
  if (left.kyma.status?.state === "Deleting" || sameJson(left.kyma.status, told)) return undefined;
  return {
    reason: "UserTold",
    waitsFor: "its user to be told in the runtime",
    effects: setStatus(RuntimeKyma, left.kyma, told),
    waits: [],
  };
}

function askedToGo(manifests: readonly Obj<typeof Manifest>[]): Step | undefined {
  const asked = manifests.filter((manifest) => !isDeleting(manifest));
  if (asked.length === 0) return undefined;
  return {
    reason: "ModulesDeleted",
    waitsFor: "its modules to go",
    effects: asked.map((manifest) => remove(Manifest, manifest)),
    waits: [],
  };
}

/** Nobody proves itself as this runtime any more. */
function withoutCertificate({ described, secret }: CertificateLeft): Step | undefined {
  const there = {
    described: described !== undefined && !isDeleting(described) ? described : undefined,
    secret: secret !== undefined && !isDeleting(secret) ? secret : undefined,
  };
  if (there.described === undefined && there.secret === undefined) return undefined;
  return {
    reason: "CertificateDeleted",
    waitsFor: "the certificate of its runtime to go",
    effects: inOrder<Target>(
      there.described === undefined ? [] : remove(CertificateObject, there.described),
      there.secret === undefined ? [] : remove(Secret, there.secret),
    ),
    waits: [],
  };
}

/** Nothing in the runtime tells of changes any more. */
function withoutProgram(left: LeftThere): Step | undefined {
  if (left.state !== "there") return undefined;
  const there = left.program.filter((object) => !isDeleting(object));
  if (there.length === 0) return undefined;
  return {
    reason: "WatcherDeleted",
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
  reason: "RuntimeCleaned",
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
    : {
        reason: "ModulesLeft",
        waitsFor: `its modules to be gone: ${manifests.map(moduleOf).join(", ")}`,
        effects: [],
        waits: [],
      };

/** The status of a Kyma that is being deleted: what is left of its modules, and what is waited for. */
function deletingStatus(
  stored: KymaStatus | undefined,
  manifests: readonly Obj<typeof Manifest>[],
  operation: string,
  now: Time,
): ModulesStatus {
  const left = manifests.map((manifest) => ({ manifest, ...goingIn(manifest) }));
  const shown = left
    .filter(({ manifest }) => !isForAll(manifest))
    .map(({ manifest, ...going }): ModuleStatus => {
      const template = stored?.modules?.find(({ name }) => name === going.name)?.template;
      return {
        ...ofManifest(manifest),
        ...(template !== undefined && { template }),
        ...going,
        maintenance: false,
      };
    });
  const mandatory = left.filter(({ manifest }) => isForAll(manifest));
  return {
    state: "Deleting",
    ...(stored?.activeChannel !== undefined && { activeChannel: stored.activeChannel }),
    ...(shown.length > 0 && { modules: shown }),
    lastOperation: lastOperation(stored, operation, now),
    conditions: ownConditions(stored, { shown, mandatory }, "", now),
  };
}

/** The state of a module that goes with its Kyma. */
function goingIn(manifest: Obj<typeof Manifest>): Pick<ModuleStatus, "name" | "state" | "message"> {
  const message = saidOfGoing(manifest);
  return { name: moduleOf(manifest), state: "Deleting", ...(message !== undefined && { message }) };
}
