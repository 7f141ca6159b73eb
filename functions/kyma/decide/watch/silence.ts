import {
  apply,
  create,
  type Effects,
  emit,
  later,
  type Obj,
  type Time,
} from "../../../../shared/function/index.ts";
import { Lease } from "../../../../shared/kube/kinds/index.ts";
import type { Configuration } from "../../configuration.ts";
import { type Kyma, LABELS, runtimeChanged } from "../../kinds/index.ts";
import { conditionsOf, good, type KymaCondition, lacking, nothingToSay } from "../conditions/index.ts";

/** Signs of life that may be missed in a row. */
const MISSED = 3;

/** The Lease that a runtime's signs of life renew. */
export const leaseName = (kyma: string): string => `${kyma}-watch`;

/** Everything that the condition Watch of a Kyma follows from. */
export interface WatchWorld {
  readonly self: Obj<typeof Kyma>;
  /** The last sign of life, as it is stored. */
  readonly lease: Obj<typeof Lease> | undefined;
  /** True where one has just come. */
  readonly beat: boolean;
}
/** The end of a look at a runtime's signs of life. */
export interface WatchOutcome {
  readonly effects?: Effects<"Lease" | "runtime.changed">;
  readonly status?: { readonly conditions: KymaCondition<"Watch">[] };
  readonly wakeAt?: Readonly<Record<string, Time>>;
}

/**
 * Decides whether a runtime tells of its changes. While it is silent, whoever listens to it is told at intervals that anything there may have changed:
 * of this runtime alone.
 */
export function watchPass(
  { self, lease, beat }: WatchWorld,
  watcher: Configuration["watcher"],
  now: Time,
): WatchOutcome {
  const runtimeId = self.metadata.labels[LABELS.runtimeId];
  const installed = self.status?.conditions?.find(({ type }) => type === "SKRWebhook");
  if (watcher === undefined || !runtimeId || (installed?.status !== "True" && lease === undefined))
    return nothingToSay(self.status, ["Watch"]);
  const heard = beat ? now : (lease?.spec?.renewTime ?? installed?.lastTransitionTime ?? now);
  const silence = later(heard, `${MISSED * watcher.beatSeconds}s`);
  const isSilent = silence <= now;
  const renewed = beat ? [renewal(self, lease, runtimeId, watcher.beatSeconds, now)] : [];
  // Each look has a name of its own: the same one twice would count once.
  const told = isSilent ? [emit(runtimeChanged, { runtimeId, delivery: `silent ${now}` })] : [];
  const verdict = isSilent
    ? lacking(
        "Watch",
        `The runtime has not said since ${lease?.spec?.renewTime ?? "it was installed"} that it watches: it is looked at every ${watcher.pollMinutes} minutes. Look at the Deployment skr-webhook there.`,
        "Silent",
      )
    : good("Watch");
  return {
    effects: [...renewed, ...told],
    status: { conditions: conditionsOf(self.status, ["Watch"], [verdict], now) },
    wakeAt: isSilent ? { poll: later(now, `${watcher.pollMinutes}m`) } : { silence },
  };
}

function renewal(
  self: Obj<typeof Kyma>,
  lease: Obj<typeof Lease> | undefined,
  holderIdentity: string,
  beatSeconds: number,
  now: Time,
) {
  const { namespace, name } = self.metadata;
  const metadata = { name: leaseName(name), namespace };
  // A Lease has its times in microseconds.
  const renewTime = now.replace(/Z$/, "000Z");
  const spec = { holderIdentity, leaseDurationSeconds: MISSED * beatSeconds, renewTime };
  return lease === undefined
    ? create(Lease, { metadata, spec }, { owner: self })
    : apply(Lease, { metadata, spec }, { force: true });
}
