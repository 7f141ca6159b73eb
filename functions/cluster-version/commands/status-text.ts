import { shortTime, table } from "../../../shared/text.ts";
import type { BoardLine } from "../decide/board/index.ts";
import type { Version } from "./read.ts";
import { riskText } from "./request.ts";
import type { OperatorUpdate } from "./update-state.ts";

/** The data that `status` prints. */
export interface ClusterStatus {
  readonly clusterVersion: Version | undefined;
  readonly operators: readonly StatusLine[];
}

/** An operator, and how far the update is with it. */
export interface StatusLine extends BoardLine {
  readonly update?: OperatorUpdate;
}

/** The time since then, or nothing where it is not known. */
export const ago = (time: string | null | undefined, now: number): string =>
  time == null || time === "" ? "" : shortTime(now - Date.parse(time));

/** The status board for people. */
export function statusText({ clusterVersion, operators }: ClusterStatus, now: number): string {
  const lines =
    clusterVersion === undefined ? ["There is no ClusterVersion."] : versionLines(clusterVersion, now);
  const updates = operators.some(({ update }) => update !== undefined);
  if (operators.length > 0)
    lines.push(
      "",
      table(
        [
          "name",
          "version",
          "available",
          "progressing",
          "degraded",
          "since",
          ...(updates ? ["update"] : []),
          "message",
        ],
        operators.map((line) => [
          line.name,
          line.version,
          line.available,
          line.progressing,
          line.degraded,
          ago(line.since, now),
          ...(updates ? [updateText(line.update, now)] : []),
          messageOf(line, now),
        ]),
      ),
    );
  return lines.join("\n");
}

/** The words about an operator's part in the update; capitals mark one that holds it up. */
function updateText(update: OperatorUpdate | undefined, now: number): string {
  const { state, since, until } = update ?? {};
  if (state === "holding") return `HOLDS IT UP, ${ago(since, now)}`;
  if (state === "done" && since !== undefined && until !== undefined)
    return `done, took ${shortTime(Date.parse(until) - Date.parse(since))}`;
  return state ?? "";
}

const messageOf = ({ message, silentSince }: BoardLine, now: number): string =>
  silentSince === undefined
    ? message
    : `${message === "" ? "" : `${message}; `}not heard of for ${ago(silentSince, now)}: this may no longer hold`;

function versionLines({ metadata, spec, status }: Version, now: number): string[] {
  const behind = status !== undefined && status.observedGeneration < metadata.generation;
  const updates = status?.availableUpdates ?? [];
  const risky = (status?.conditionalUpdates ?? []).filter(
    ({ conditions }) =>
      !conditions?.some(({ type, status: word }) => type === "Recommended" && word === "True"),
  );
  const channels = status?.desired.channels ?? [];
  const lines = [
    `Desired: ${status?.desired.version ?? spec.desiredUpdate?.version ?? "not known yet"}${status?.desired.image ? ` (${status.desired.image})` : ""}`,
    ...(behind ? ["The request of this moment has not been looked at yet."] : []),
    ...(spec.channel || channels.length > 0
      ? [
          `Channel: ${spec.channel || "none"}${channels.length > 0 ? ` (available channels: ${channels.join(", ")})` : ""}`,
        ]
      : []),
    ...(updates.length > 0 ? [`Updates: ${updates.map(({ version }) => version).join(", ")}`] : []),
    ...risky.map((update) => `Not recommended: ${update.release.version}: ${riskText(update)}`),
  ];
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0)
    lines.push(
      "",
      table(
        ["condition", "status", "since", "reason", "message"],
        conditions.map(({ type, status: word, lastTransitionTime, reason, message }) => [
          type,
          word,
          ago(lastTransitionTime, now),
          reason,
          message,
        ]),
      ),
    );
  return lines;
}

/** The log of releases for people, newest first. */
export function historyText({ status }: Version): string {
  const history = status?.history ?? [];
  if (history.length === 0) return "No release was applied yet.";
  const risks = history.flatMap(({ version, startedTime, acceptedRisks }) =>
    acceptedRisks === undefined || acceptedRisks === ""
      ? []
      : [`${version} of ${startedTime} was taken although: ${acceptedRisks}`],
  );
  const rows = table(
    ["state", "version", "started", "completed", "verified", "image"],
    history.map((entry) => [
      entry.state,
      entry.version,
      entry.startedTime,
      entry.completionTime ?? "-",
      entry.verified,
      entry.image,
    ]),
  );
  return [rows, ...(risks.length > 0 ? ["", ...risks] : [])].join("\n");
}
