import { type Obj, type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import { isTrue, setConditions } from "../../../../shared/kube/conditions.ts";
import type { Manifest, ManifestConditionType, State, SyncedObject } from "../../kinds/index.ts";
import { unobserved } from "../conditions/index.ts";

type Self = Obj<typeof Manifest>;
/** The status of a Manifest. */
export type ManifestStatus = NonNullable<Self["status"]>;

/** The changes of a status; the rest of it stays as it is. */
export interface Said {
  readonly state: State;
  /** The deed or wait, for people. */
  readonly message: string;
  readonly synced?: readonly SyncedObject[] | undefined;
  readonly resources?: boolean | undefined;
  readonly installation?: boolean | undefined;
  readonly moduleCR?: true | undefined;
}

/** The reasons of conditions: upstream has one for each type, whatever its status. */
const REASONS: Readonly<Record<ManifestConditionType, string>> = {
  Resources: "ResourcesAvailable",
  Installation: "Ready",
  ModuleCR: "ModuleCRCreated",
};
const MESSAGES: Readonly<Record<ManifestConditionType, readonly [holds: string, not: string]>> = {
  Resources: ["The artifact was read.", "The artifact was not read yet."],
  Installation: ["The operator is up.", "The operator is not up."],
  ModuleCR: [
    "The default configuration object was made.",
    "The default configuration object was not made yet.",
  ],
};

/** True where the default configuration object comes and goes with the module. */
export const hasOwnResource = ({ spec }: Pick<Self, "spec">): boolean =>
  spec?.resource !== undefined && spec.resource !== null && spec.customResourcePolicy === "CreateAndDelete";

/** True where the default configuration object was made once: it is never made again. */
export const isResourceMade = ({ status }: Pick<Self, "status">): boolean =>
  isTrue(status?.conditions, "ModuleCR");

/** The status of a Manifest with these changes. Said twice it is the same. */
export function statusOf(
  self: Self,
  { state, message, synced, resources, installation, moduleCR }: Said,
  now: Time,
): ManifestStatus {
  const { status: stored } = self;
  const holds: Readonly<Record<ManifestConditionType, boolean>> = {
    Resources: resources ?? isTrue(stored?.conditions, "Resources"),
    Installation: installation ?? isTrue(stored?.conditions, "Installation"),
    ModuleCR: moduleCR ?? isTrue(stored?.conditions, "ModuleCR"),
  };
  const types = (["Resources", "Installation", "ModuleCR"] as const).filter(
    (type) => type !== "ModuleCR" || hasOwnResource(self),
  );
  const kept = stored?.conditions?.filter(({ type }) => types.includes(type)).map(unobserved);
  const verdicts = types.map((type) => ({
    type,
    status: holds[type] ? ("True" as const) : ("False" as const),
    reason: REASONS[type],
    message: MESSAGES[type][holds[type] ? 0 : 1],
  }));
  const isSaid = stored?.state === state && stored.lastOperation?.operation === message;
  const record = synced ?? stored?.synced;
  return {
    state,
    lastOperation: {
      operation: message,
      lastUpdateTime: (isSaid ? stored.lastOperation?.lastUpdateTime : undefined) ?? toWholeSeconds(now),
    },
    conditions: [...setConditions(kept, verdicts, now)],
    ...(record !== undefined && { synced: [...record] }),
  };
}
