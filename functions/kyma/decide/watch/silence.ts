import {
  apply,
  create,
  type Effects,
  emit,
  later,
  type Obj,
  type Time,
  timeOf,
} from "../../../../shared/function/index.ts";
import { isFalse } from "../../../../shared/kube/conditions.ts";
import { Lease } from "../../../../shared/kube/kinds/index.ts";
import type { Configuration } from "../../configuration.ts";
import { type Kyma, LABELS, runtimeChanged, type Sign, signsIn } from "../../kinds/index.ts";
import { conditionsOf, good, type KymaCondition, lacking, nothingToSay } from "../conditions/index.ts";

/** Signs of life that may be missed in a row. */
const MISSED = 3;

/** The Lease that says since when a runtime is heard, or when it was heard last. */
export const leaseName = (kyma: string): string => `${kyma}-watch`;

/** Everything that the condition Watch of a Kyma follows from. */
export interface WatchWorld {
  readonly self: Obj<typeof Kyma>;
  /** The last sign, as it is stored. */
  readonly lease: Obj<typeof Lease> | undefined;
  /** The last sign among what led here. */
  readonly sign: Sign | undefined;
  /** The other Kymas that bear the identity of its runtime. */
  readonly others: readonly string[];
}
/** The end of a look at a runtime's signs of life. */
export interface WatchOutcome {
  readonly effects?: Effects<"Lease" | "runtime.changed">;
  readonly status?: { readonly conditions: KymaCondition<"Watch">[] };
  readonly wakeAt?: Readonly<Record<string, Time>>;
}

/** The other Kymas with the identity of a Kyma's runtime. */
export async function namesakes(
  { name, labels }: Pick<Obj<typeof Kyma>["metadata"], "name" | "labels">,
  list: (labels: Readonly<Record<string, string>>) => Promise<readonly Obj<typeof Kyma>[]>,
): Promise<readonly string[]> {
  const runtimeId = labels[LABELS.runtimeId];
  if (!runtimeId) return [];
  const found = await list({ [LABELS.runtimeId]: runtimeId });
  return found.map(({ metadata }) => metadata.name).filter((one) => one !== name);
}

/** The last sign among what led to a run. */
export const lastSign = (news: string | undefined): Sign | undefined =>
  signsIn(news?.split(" ") ?? []).reduce<Sign | undefined>(lastOf, undefined);

/** The one of two signs that counts: the later one, and of the same time silence. */
function lastOf(one: Sign | undefined, other: Sign): Sign {
  if (one === undefined) return other;
  const [first, second] = [one, other].map(({ heard }) => Date.parse(heard)) as [number, number];
  return second > first || (second === first && other.state === "silent" && one.state === "alive")
    ? other
    : one;
}

/**
 * Decides whether a runtime tells of its changes. While it is silent, whoever listens to it is told at intervals that anything there may have changed:
 * of this runtime alone, and once more when it is back.
 */
export function watchPass(
  { self, lease, sign, others }: WatchWorld,
  watcher: Configuration["watcher"],
  now: Time,
): WatchOutcome {
  const runtimeId = self.metadata.labels[LABELS.runtimeId];
  const installed = self.status?.conditions?.find(({ type }) => type === "SKRWebhook");
  const stored = signIn(lease);
  const last = sign === undefined ? stored : lastOf(stored, sign);
  if (watcher === undefined || !runtimeId || (installed?.status !== "True" && last === undefined))
    return nothingToSay(self.status, ["Watch"]);
  if (others.length > 0)
    return { status: { conditions: conditionsOf(self.status, ["Watch"], [shared(runtimeId, others)], now) } };
  const silent = later(installed?.lastTransitionTime ?? now, `${MISSED * watcher.beatSeconds}s`);
  const isSilent = last === undefined ? silent <= now : last.state === "silent";
  const isBack = !isSilent && last !== undefined && isFalse(self.status?.conditions, "Watch");
  const told = (delivery: string) => emit(runtimeChanged, { runtimeId, delivery });
  const verdict = isSilent
    ? lacking(
        "Watch",
        `The runtime has not said since ${last?.heard ?? "it was installed"} that it watches: it is looked at every ${watcher.pollMinutes} minutes. Look at the Deployment skr-webhook there.`,
        "Silent",
      )
    : good("Watch");
  return {
    effects: [
      ...(last === undefined || last === stored ? [] : [storing(self, lease, last)]),
      // Each look has a name of its own: the same one twice would count once.
      ...(isSilent ? [told(`silent ${now}`)] : []),
      ...(isBack ? [told(`back ${last.heard}`)] : []),
    ],
    status: { conditions: conditionsOf(self.status, ["Watch"], [verdict], now) },
    ...(isSilent && { wakeAt: { poll: later(now, `${watcher.pollMinutes}m`) } }),
    // Nobody knows of a program that has never said anything.
    ...(last === undefined && !isSilent && { wakeAt: { silence: silent } }),
  };
}

/** The verdict on an identity that others bear as well: what is told under it is dropped, so this runtime is followed like one that tells nothing. */
const shared = (runtimeId: string, others: readonly string[]) =>
  lacking(
    "Watch",
    `Other Kymas bear the same ${LABELS.runtimeId}, ${runtimeId}: ${others.toSorted().join(", ")}. What that runtime tells is dropped, since it may be about any of them. Give each Kyma an identity of its own.`,
    "Shared",
  );

/** The sign that a Lease keeps: it has no holder once its runtime is silent. */
function signIn(lease: Obj<typeof Lease> | undefined): Sign | undefined {
  const { renewTime, holderIdentity: host } = lease?.spec ?? {};
  if (renewTime === undefined) return undefined;
  return { state: host ? "alive" : "silent", heard: timeOf(Date.parse(renewTime)), host: host ?? "" };
}

function storing(self: Obj<typeof Kyma>, lease: Obj<typeof Lease> | undefined, { state, heard, host }: Sign) {
  const { namespace, name } = self.metadata;
  const metadata = { name: leaseName(name), namespace };
  // A Lease has its times in microseconds.
  const renewTime = heard.replace(/Z$/, "000Z");
  const isHeld = state === "alive";
  const since = (isHeld && lease?.spec?.holderIdentity && lease.spec.acquireTime) || renewTime;
  const spec = { holderIdentity: isHeld ? host : "", acquireTime: since, renewTime };
  return lease === undefined
    ? create(Lease, { metadata, spec }, { owner: self })
    : apply(Lease, { metadata, spec }, { force: true });
}
