import { milliseconds, since, type Time } from "../../../../../shared/function/index.ts";
import { newestFirst } from "../../../../../shared/versions.ts";
import type { ClusterVersionStatus, ConditionalUpdate } from "../../../kinds/index.ts";
import { findCondition, setCondition } from "../../../status/index.ts";
import type { Release, Verdict } from "../types.ts";
import { type ConditionalOffer, type Offers, tooMany } from "./offers.ts";
import { type Exposures, recommendedVerdict } from "./risk-exposure.ts";

/** The result of looking for updates. */
export type Retrieval =
  | { readonly state: "offers"; readonly offers: Offers }
  | { readonly state: "failed"; readonly verdict: Verdict };

/** The service, not the cluster, is to blame: what it said before may stand for a while. */
const PASSING = new Set(["RemoteFailed", "ResponseFailed", "ResponseInvalid"]);
/** The time for which the last answer stands. */
const STANDS = milliseconds("24h");

/**
 * The present offers. Of a service that cannot be heard, its last answer to the same question, for a day; a cluster with another
 * channel, version, architecture or service, or a version that the graph does not know, is offered nothing.
 */
export function offersNow(
  retrieval: Retrieval,
  stored: ClusterVersionStatus | undefined,
  { sameQuestion, now }: { readonly sameQuestion: boolean; readonly now: Time },
): Offers {
  if (retrieval.state === "offers") return retrieval.offers;
  if (!sameQuestion || !PASSING.has(retrieval.verdict.reason) || !stands(stored, now))
    return { updates: [], conditional: [], omitted: [] };
  const conditional = storedOffers(stored);
  const images = new Set(conditional.map(({ release }) => release.image));
  const updates = (stored?.availableUpdates ?? []).filter(({ image }) => !images.has(image));
  return { updates, conditional, omitted: [] };
}

/** The stored updates under risks. */
export const storedOffers = (stored: ClusterVersionStatus | undefined): readonly ConditionalOffer[] =>
  (stored?.conditionalUpdates ?? []).map(({ release, risks }) => ({ release, risks }));

function stands(stored: ClusterVersionStatus | undefined, now: Time): boolean {
  const told = findCondition(stored?.conditions, "RetrievedUpdates");
  return told === undefined || told.status === "True" || since(told.lastTransitionTime, now) < STANDS;
}

interface RetrievedUpdates {
  readonly type: "RetrievedUpdates";
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime: string;
}

/** The stored part of the status. */
export const storedPart = (stored: ClusterVersionStatus | undefined) => ({
  availableUpdates: stored?.availableUpdates ?? null,
  ...(stored?.conditionalUpdates !== undefined && { conditionalUpdates: stored.conditionalUpdates }),
  conditions: [...findStored(stored)],
});

/**
 * The part of the status to store: recommended updates, those under risks with their verdicts, and whether they could be
 * retrieved.
 */
export function updatesStatus(
  said: {
    readonly retrieval: Retrieval;
    readonly offers: Offers;
    readonly exposures: Exposures;
    readonly acceptedRisks: ReadonlySet<string>;
  },
  stored: ClusterVersionStatus | undefined,
  now: Time,
) {
  const judgedOffers = said.offers.conditional.map((offer) =>
    judged(offer, said.exposures, said.acceptedRisks, stored, now),
  );
  const conditional = fitting(judgedOffers, ROOM_CONDITIONAL);
  const joined = judgedOffers.filter(({ conditions }) => conditions?.[0]?.status === "True");
  const listed = [...said.offers.updates, ...joined.map(({ release }) => release)]
    .toSorted((one, other) => newestFirst(one.version, other.version))
    .map(writtenRelease);
  const updates = fitting(listed, ROOM_AVAILABLE);
  const omitted = [
    ...said.offers.omitted,
    ...tooMany(
      listed.slice(updates.length).map(({ version }) => version),
      "updates",
    ),
    ...tooMany(
      judgedOffers.slice(conditional.length).map(({ release }) => release.version),
      "updates under risks",
    ),
  ];
  const condition = setCondition(
    findStored(stored),
    { type: "RetrievedUpdates" as const, ...spoken(said.retrieval, omitted) },
    now,
  );
  return {
    availableUpdates: updates.length > 0 ? [...updates] : null,
    ...(conditional.length > 0 && { conditionalUpdates: [...conditional] }),
    conditions: [...condition],
  };
}

/** An object has 1.5 MiB at most, whatever a service offers. In bytes, of JSON. */
const ROOM_CONDITIONAL = 512 * 1024;
const ROOM_AVAILABLE = 256 * 1024;

/** The first of them, as many as there is room for. */
function fitting<Item>(items: readonly Item[], room: number): readonly Item[] {
  let left = room;
  const end = items.findIndex((item) => {
    left -= Buffer.byteLength(JSON.stringify(item));
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

const findStored = (stored: ClusterVersionStatus | undefined): readonly RetrievedUpdates[] =>
  (stored?.conditions ?? []).flatMap((one) =>
    one.type === "RetrievedUpdates" ? [{ ...one, type: one.type }] : [],
  );

/** The number of faults that the condition names, and the length of each. */
const NAMED = 20;
const CHARACTERS = 200;
function listText(faults: readonly string[]): string {
  const named = faults
    .slice(0, NAMED)
    .map((fault) => (fault.length > CHARACTERS ? `${fault.slice(0, CHARACTERS)}…` : fault));
  const rest = faults.length - named.length;
  return `${named.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
}

function spoken(retrieval: Retrieval, omitted: readonly string[]) {
  if (retrieval.state === "failed") return retrieval.verdict;
  return {
    status: "True" as const,
    ...(omitted.length > 0 && {
      reason: "UpdatesOmitted",
      message: `Updates that cannot be listed: ${listText(omitted)}`,
    }),
  };
}

function judged(
  { release, risks }: ConditionalOffer,
  exposures: Exposures,
  accepted: ReadonlySet<string>,
  stored: ClusterVersionStatus | undefined,
  now: Time,
): ConditionalUpdate {
  const before = stored?.conditionalUpdates?.find((one) => one.release.image === release.image);
  const conditions = setCondition(
    before?.conditions?.filter(({ type }) => type === "Recommended"),
    { type: "Recommended", ...recommendedVerdict(risks, exposures, accepted) },
    now,
  );
  return {
    release: writtenRelease(release),
    risks: risks.map((risk) => ({
      name: risk.name,
      url: risk.url,
      message: risk.message,
      matchingRules: risk.matchingRules.map((rule) => writtenRule(rule)),
    })),
    conditions: [...conditions],
  };
}

const writtenRule = ({
  type,
  promql,
}: ConditionalOffer["risks"][number]["matchingRules"][number]): ConditionalUpdate["risks"][number]["matchingRules"][number] => ({
  type: type === "Always" ? "Always" : "PromQL",
  ...(promql !== undefined && { promql: { promql: promql.promql } }),
});

const writtenRelease = ({ version, image, url, channels, architecture }: Release) => ({
  version,
  image,
  ...(url !== undefined && { url }),
  ...(channels !== undefined && { channels: [...channels] }),
  ...(architecture === "Multi" && { architecture: "Multi" as const }),
});
