import { systemClock } from "../../../../shared/clock/clock.ts";
import type { RunningHere } from "../../../../shared/function/running-here.ts";
import { type ListedKyma, type ListedModule, listedModules } from "../modules.ts";
import { manifestsOf, requireKyma } from "../read.ts";
import type { KymaPlace } from "./write.ts";

/** The milliseconds after which changes are told although others follow. */
const TELL_EVERY = 300;

/** The end of following a Kyma. */
export interface Followed {
  readonly kyma: ListedKyma;
  /** The modules that do not stand as they are wished, and what else is in the way, one sentence each; none: all is ready. */
  readonly unready: readonly string[];
  /** True where the time was over before all had come to rest. */
  readonly late: boolean;
}

/** Follows a Kyma until its modules are ready, or nothing more happens by itself. `tell` hears each change of a module. */
export async function followKyma(
  running: RunningHere,
  place: KymaPlace,
  { timeout, tell }: { readonly timeout: number; readonly tell: (line: string) => void },
): Promise<Followed> {
  const until = systemClock.now() + timeout;
  const left = (): number => Math.max(0, until - systemClock.now());
  const told = new Map<string, string>();
  const look = async (): Promise<ListedKyma> => {
    const listed = await read(running, place);
    for (const line of changesIn(told, listed.modules)) tell(line);
    return listed;
  };
  for (;;) {
    const { settled, reasons } = await running.rest(Math.min(left(), TELL_EVERY));
    const kyma = await look();
    const unready = (): readonly string[] => [...unreadyOf(kyma), ...reasons];
    if (settled && (reasons.length > 0 || !isUnderWay(kyma)))
      return { kyma, unready: unready(), late: false };
    if (left() === 0) return { kyma, unready: unready(), late: true };
    if (settled) await running.moved(left());
  }
}

const read = async ({ client }: RunningHere, { name, namespace }: KymaPlace): Promise<ListedKyma> =>
  listedModules(await requireKyma(client, namespace, name), await manifestsOf(client, namespace));

const isGood = ({ state }: ListedModule): boolean => state === "Ready" || state === "Unmanaged";
const isMeant = ({ wanted, channel }: ListedModule): boolean => wanted || channel === "(each cluster)";

/** True while a module is being installed or removed: what it waits for may come by itself. */
const isUnderWay = ({ modules }: ListedKyma): boolean =>
  modules.some(({ state }) => state === undefined || ["", "Processing", "Deleting"].includes(state));

/** The sentences about what is not as it is wished. */
function unreadyOf({ state, modules, unmet }: ListedKyma): readonly string[] {
  const open = modules.filter((module) => !isMeant(module) || !isGood(module)).map(lineOf);
  return open.length === 0 && state !== "Ready"
    ? [`the Kyma is ${state || "not looked at yet"}`, ...unmet]
    : open;
}

/** A module in one line. */
const lineOf = ({ module, version, state, message }: ListedModule): string =>
  `${module}${version === undefined ? "" : ` ${version}`}: ${state || "not looked at yet"}${message ? `: ${message}` : ""}`;

/** The lines of the modules that stand otherwise than they were told; those that have gone are told as well. */
function changesIn(told: Map<string, string>, modules: readonly ListedModule[]): readonly string[] {
  const lines: string[] = [];
  for (const module of modules) {
    const line = lineOf(module);
    if (told.get(module.module) !== line) lines.push(line);
    told.set(module.module, line);
  }
  for (const name of told.keys())
    if (!modules.some(({ module }) => module === name)) {
      told.delete(name);
      lines.push(`${name}: gone`);
    }
  return lines;
}
