import { CliError } from "../../../shared/function/command-errors.ts";
import type { Duration, Time } from "../../../shared/function/index.ts";
import { table } from "../../../shared/text.ts";
import {
  lint,
  type MaintenancePolicy,
  type MaintenanceState,
  maintenanceAt,
  type PolicyFault,
  readMaintenancePolicy,
  runtimeOf,
  unreadIn,
} from "../decide/windows/index.ts";
import { type AKyma, countedSpec, noKyma } from "./read.ts";

/** The maintenance window of one Kyma. */
export interface ListedWindow {
  readonly namespace: string;
  readonly name: string;
  /** True where its upgrades wait for no window. */
  readonly skips: boolean;
  readonly window: MaintenanceState;
}
/** The windows of Kymas, and the doubtful places of the policy that they come from. */
export interface ListedWindows {
  readonly windows: readonly ListedWindow[];
  readonly doubts: readonly PolicyFault[];
}

/** A maintenance policy as it was read, and what of its text was not. */
export interface WrittenPolicy {
  readonly policy: MaintenancePolicy;
  readonly unread: readonly PolicyFault[];
}

/** Reads a maintenance policy. @throws CliError with every mistake of it */
export function policyIn(text: string, place: string): WrittenPolicy {
  const policy = readMaintenancePolicy(text);
  if ("rules" in policy) return { policy, unread: unreadIn(text) };
  throw new CliError(
    "CLI_KYMA_WINDOWS_WRONG",
    `${place} is no maintenance policy:\n${policy.map(faultText).join("\n")}`,
  );
}

/** The windows of Kymas at a moment. Pure. */
export const listedWindows = (
  kymas: readonly AKyma[],
  written: WrittenPolicy | undefined,
  minimum: Duration,
  now: Time,
): ListedWindows => ({
  windows: kymas.map((kyma) => ({
    namespace: kyma.metadata.namespace,
    name: kyma.metadata.name,
    skips: (countedSpec(kyma)?.skipMaintenanceWindows ?? kyma.spec?.skipMaintenanceWindows) === true,
    window: maintenanceAt(now, written?.policy, runtimeOf(kyma.metadata.labels), minimum),
  })),
  doubts: written === undefined ? [] : [...written.unread, ...lint(written.policy, now, minimum)],
});

const faultText = ({ path, message }: PolicyFault): string => (path === "" ? message : `${path}: ${message}`);

/** The windows as a table, and below it what is doubtful about the policy. */
export function windowsText({ windows, doubts }: ListedWindows, asked: string): string {
  const rows = windows.map(({ namespace, name, skips, window }) => [
    namespace,
    name,
    skips ? "waits for none" : window.state,
    ...(window.state === "none" ? ["", "", window.why] : [window.begin, window.end]),
  ]);
  return [
    windows.length === 0
      ? noKyma(asked)
      : table(["namespace", "kyma", "window", "begin", "end", "why none"], rows),
    ...doubts.map((doubt) => `Doubtful: ${faultText(doubt)}`),
  ].join("\n");
}
