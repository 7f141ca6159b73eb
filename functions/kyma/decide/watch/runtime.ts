import type { Obj } from "../../../../shared/function/index.ts";
import { type Kyma, LABELS, runtimeBeat } from "../../kinds/index.ts";

/** An event of a runtime, as far as it names the runtime. */
interface OfRuntime {
  readonly runtimeId: string;
}

/** True for the Kyma of the runtime that an event is of. */
export const isOfRuntime = (
  { metadata }: Pick<Obj<typeof Kyma>, "metadata">,
  { runtimeId }: OfRuntime,
): boolean => metadata.labels[LABELS.runtimeId] === runtimeId;

/** The Kymas that an event of a runtime concerns; a name that no label can be concerns none. */
export const ofRuntime = ({ runtimeId }: OfRuntime) =>
  /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(runtimeId)
    ? { labels: { [LABELS.runtimeId]: runtimeId } }
    : undefined;

/** True where a sign of life is among what led to a run. */
export const isBeat = (news: string | undefined): boolean =>
  news?.split(" ").some((one) => one.startsWith(`${runtimeBeat.id}/`)) === true;
