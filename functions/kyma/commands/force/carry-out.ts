import { createHash } from "node:crypto";
import { systemClock } from "../../../../shared/clock/clock.ts";
import { timeOf } from "../../../../shared/clock/time.ts";
import type { KubeClient, Resource } from "../../../../shared/kube/client.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { resourceOf } from "../../../../shared/kube/kind.ts";
import { Kyma, Manifest } from "../../kinds/index.ts";
import { FIELD_MANAGER } from "../wish.ts";
import type { Forced, ForcedModule, ForcePlan } from "./plan.ts";

const BY = { fieldManager: FIELD_MANAGER } as const;
const EVENTS: Resource = { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" };
/** The most that the server takes. */
const LONGEST = 1_024;
/** The tries of a write whose object others change meanwhile. */
const TRIES = 10;

/** An object after it was taken away by force. */
export interface TakenAway {
  readonly object: string;
  /** The finalizers that hold it yet; none: it is gone. */
  readonly heldBy: readonly string[];
}

/** Carries out a plan: modules first. Each is told in an Event before it is touched. */
export async function carryOut(
  client: KubeClient,
  plan: ForcePlan,
  reason: string,
): Promise<readonly TakenAway[]> {
  const { namespace, modules, itself, leaves } = plan;
  const taken: TakenAway[] = [];
  for (const module of modules) {
    await tell(client, namespace, module, left(module), reason);
    if (module.isNew) await askToGo(client, namespace, module);
    taken.push(await release(client, namespace, module));
  }
  if (itself !== undefined) {
    await tell(client, namespace, itself, leaves, reason);
    taken.push(await release(client, namespace, itself));
  }
  return taken;
}

const left = ({ leaves }: ForcedModule): readonly string[] => leaves;
const resourceFor = ({ kind }: Forced): Resource => resourceOf(kind === "Kyma" ? Kyma : Manifest);

async function askToGo(
  client: KubeClient,
  namespace: string,
  { name, uid, ...forced }: Forced,
): Promise<void> {
  try {
    await client.delete(resourceFor({ name, uid, ...forced }), { name, namespace }, { uid });
  } catch (thrown) {
    if (!(thrown instanceof KubeError) || thrown.kind !== "missing") throw thrown;
  }
}

/** Takes the finalizers off an object that was planned for: one that was made anew since stays as it is. */
async function release(client: KubeClient, namespace: string, forced: Forced): Promise<TakenAway> {
  const { kind, name, uid, releases } = forced;
  const place = { name, namespace };
  const resource = resourceFor(forced);
  const object = `${kind} ${namespace}/${name}`;
  for (let tries = 1; ; tries += 1) {
    const now = await client.get(resource, place);
    const finalizers = now?.metadata.finalizers ?? [];
    if (now === undefined || now.metadata.uid !== uid || finalizers.length === 0)
      return { object, heldBy: [] };
    const kept = finalizers.filter((one) => !releases.includes(one));
    if (kept.length === finalizers.length) return { object, heldBy: kept };
    const { resourceVersion } = now.metadata;
    try {
      await client.patch(
        resource,
        place,
        "merge",
        { metadata: { uid, resourceVersion, finalizers: kept } },
        BY,
      );
    } catch (thrown) {
      const isAnothers = thrown instanceof KubeError && ["stale", "missing"].includes(thrown.kind);
      if (!isAnothers || tries === TRIES) throw thrown;
    }
  }
}

/** Writes the Event that outlives the object. */
async function tell(
  client: KubeClient,
  namespace: string,
  { kind, name, uid }: Forced,
  leaves: readonly string[],
  reason: string,
): Promise<void> {
  const at = timeOf(systemClock.now());
  const message =
    `${kind} ${name} is taken away by force${reason === "" ? "" : ` (${reason})`}. ${leaves.length} objects may stay in its runtime: ${leaves.join(", ")}`.slice(
      0,
      LONGEST,
    );
  const digest = createHash("sha256").update(`${uid} ${at}`).digest("hex").slice(0, 16);
  await client.create(
    EVENTS,
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `${name.slice(0, 200)}.${digest}`, namespace },
      involvedObject: { apiVersion: `${Kyma.group}/${Kyma.version}`, kind, name, namespace, uid },
      type: "Warning",
      reason: "DeletedByForce",
      message,
      source: { component: FIELD_MANAGER },
      reportingComponent: FIELD_MANAGER,
      reportingInstance: FIELD_MANAGER,
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    },
    BY,
  );
}
