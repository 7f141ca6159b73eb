import type { ClusterState, Obj } from "../../../../shared/function/index.ts";
import { isTrue } from "../../../../shared/kube/conditions.ts";
import type { Secret } from "../../../../shared/kube/kinds/index.ts";
import type { WatcherSettings } from "../../configuration.ts";
import type { Kyma, RuntimeObject, Watcher } from "../../kinds/index.ts";
import { AUTHORITY_SECRET, certificateName, GATEWAY_SECRET } from "../certificates/index.ts";
import { tellsOfChanges } from "../conditions/index.ts";
import { type ProgramPods, podsOf } from "./pods.ts";

/** Everything that the program in a runtime follows from; undefined where there is to be none. */
export interface InstallWorld {
  readonly settings: WatcherSettings;
  readonly watchers: readonly Obj<typeof Watcher>[];
  readonly there: ClusterState;
  /** The certificate of the runtime, the authority that issues it, and the bundle that is trusted. */
  readonly secret: Obj<typeof Secret> | undefined;
  readonly authority: Obj<typeof Secret> | undefined;
  readonly gateway: Obj<typeof Secret> | undefined;
  /** The Pods of the program, which explain why it does not run; none where it is known to. */
  readonly pods: ProgramPods;
}

/** The reads that a decision about the program needs. */
export interface InstallReads {
  readonly watchers: () => Promise<readonly Obj<typeof Watcher>[]>;
  readonly there: () => Promise<ClusterState>;
  readonly secret: (name: string) => Promise<Obj<typeof Secret> | undefined>;
  readonly pods: () => Promise<readonly Obj<typeof RuntimeObject>[]>;
}
/** The Deployment of the program, once it was applied. */
export type Program = Obj<typeof RuntimeObject>;

/** Reads all that decides on the program in a runtime. */
export async function observeInstall(
  { metadata: { name }, status }: Obj<typeof Kyma>,
  settings: WatcherSettings | undefined,
  local: boolean,
  reads: InstallReads,
): Promise<InstallWorld | undefined> {
  if (settings === undefined || local) return undefined;
  const [watchers, secret] = await Promise.all([reads.watchers(), reads.secret(certificateName(name))]);
  if (watchers.length === 0 && secret === undefined) return undefined;
  const [there, authority, gateway] = await Promise.all([
    reads.there(),
    reads.secret(AUTHORITY_SECRET),
    reads.secret(GATEWAY_SECRET),
  ]);
  // Nothing more is read in a runtime that is well, nor where nothing can have been installed.
  const isWell = isTrue(status?.conditions, "SKRWebhook") && tellsOfChanges(status);
  const isAsked = there.state === "reachable" && secret !== undefined && !isWell;
  const pods = isAsked ? await podsOf(reads.pods) : [];
  return { settings, watchers, there, secret, authority, gateway, pods };
}
