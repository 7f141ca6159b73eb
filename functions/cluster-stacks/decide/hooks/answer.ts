import type { Hook } from "../assets/index.ts";
import { type Asked, askedText } from "./asked.ts";

/** The state of a Cluster's addons, as far as an answer rests on it. */
export interface AskedAddon {
  /** The class whose addons are installed. */
  readonly clusterStack: string | undefined;
  /** The question that is stored. */
  readonly asked: Asked | undefined;
  /** The work that was begun last; `hook` is absent for addons in one stage. */
  readonly target: { readonly clusterStack: string; readonly hook?: string | undefined } | undefined;
  readonly stages: readonly { readonly name: string; readonly phase: string }[];
  /** The reason why it is not ready, other than that it was not asked yet. */
  readonly message: string | undefined;
}

/** All that an answer rests on besides the question. */
export interface AskedWorld {
  /** The class that the Cluster names now, where it is one of a release that is there; undefined: it is nobody's business here. */
  readonly wanted: string | undefined;
  /** The object that keeps its addons from being worked on, and why; undefined: nothing does. */
  readonly paused?: string | undefined;
  readonly addon: AskedAddon | undefined;
}

/** An answer, as Cluster API reads it: it goes on where no seconds are named. */
export interface Answer {
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/** Cluster API asks again after so long. */
export const RETRY_SECONDS = 10;
const wait = (message: string): Answer => ({ message, retryAfterSeconds: RETRY_SECONDS });

const isWhole = ({ stages }: AskedAddon): boolean => stages.every(({ phase }) => phase === "done");
const runs = ({ target }: AskedAddon, hook: Hook): boolean => target?.hook === hook;

/** True where all that a class brings before an upgrade is installed. */
export const isInstalled = (addon: AskedAddon, clusterStack: string): boolean =>
  addon.clusterStack === clusterStack &&
  // The stages after an upgrade begin once all this is so.
  (addon.target === undefined ||
    // Work that leads elsewhere has changed what stands, also once its stages are done.
    (addon.target.clusterStack === clusterStack && (isWhole(addon) || runs(addon, "AfterClusterUpgrade"))));

/** True where the work for a question is done already, or nobody has to know of it. */
function isSettled({ hook, clusterStack }: Asked, { wanted, addon }: AskedWorld): boolean {
  if (wanted === undefined || addon === undefined) return true;
  // Asked from memory about a class that the Cluster has left: it asks again about the right one.
  if (wanted !== clusterStack) return true;
  if (hook !== "AfterClusterUpgrade") return isInstalled(addon, clusterStack);
  const { target } = addon;
  const isSingleStage = target !== undefined && target.hook === undefined;
  return (
    isSingleStage ||
    (target?.clusterStack === clusterStack && runs(addon, "AfterClusterUpgrade") && isWhole(addon))
  );
}

/** True where a question has to be stored: its work is not done, and the store does not hold it. */
export const isToBeStored = (asked: Asked, world: AskedWorld): boolean =>
  !isSettled(asked, world) && !isHeld(asked, world.addon?.asked);

/**
 * True where the stored question says as much. Who asked after an upgrade is not asked again: a question before the same upgrade that comes
 * late must not take its place, and its stages run first in any case.
 */
const isHeld = (asked: Asked, stored: Asked | undefined): boolean =>
  stored !== undefined &&
  (askedText(stored) === askedText(asked) ||
    (asked.hook === "BeforeClusterUpgrade" &&
      askedText(stored) === askedText({ ...asked, hook: "AfterClusterUpgrade" })));

/** The hook that is served once a question is stored: one that comes ahead of its time does not hide the one that is at work. */
export const servedHook = ({ hook, clusterStack }: Asked, { addon }: AskedWorld): string => {
  const { target } = addon ?? {};
  const isAtWork = addon !== undefined && target?.clusterStack === clusterStack && !isWhole(addon);
  return isAtWork ? (target?.hook ?? hook) : hook;
};

/**
 * Answers whether Cluster API may upgrade a cluster: once the addons of the class that it asked about are installed. It follows from
 * what is stored alone, so the same question gets the same answer however often it comes.
 */
export function mayUpgrade(clusterStack: string, { wanted, paused, addon }: AskedWorld): Answer {
  if (wanted === undefined) return {};
  if (wanted !== clusterStack)
    return wait(`the Cluster names the class ${wanted} now: ask again about that one`);
  const held = paused === undefined ? "" : `: ${paused}`;
  if (addon === undefined) return wait(`the Cluster's ClusterAddon is not there yet${held}`);
  if (isInstalled(addon, clusterStack)) return {};
  const isRunning = addon.target?.clusterStack === clusterStack;
  const current = isRunning ? addon.stages.find(({ phase }) => phase !== "done") : undefined;
  const stage = current === undefined ? "" : `, stage ${current.name}: ${current.phase}`;
  const why = held || (addon.message === undefined ? "" : `: ${addon.message}`);
  return wait(`the addons of ${clusterStack} are not installed yet${stage}${why}`);
}
