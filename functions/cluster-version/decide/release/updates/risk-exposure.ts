import type { QueryVerdict } from "../../../ports/update-graph/index.ts";
import type { Risk, Verdict } from "../types.ts";
import type { ConditionalOffer } from "./offers.ts";

/** The exposures of this cluster, by the risk's name; `cause` where one cannot be told. */
export type Exposures = ReadonlyMap<string, Exposure>;
export type Exposure =
  | { readonly state: "applies" }
  | { readonly state: "does not apply" }
  | { readonly state: "unknown"; readonly cause: string };

/** A graph may name hundreds of risks, and whoever is asked serves others too. */
const AT_ONCE = 4;

/**
 * Asks about each risk once. Of updates that name the same risk with different words, the newest one's words count. Rules are
 * asked in their order, and the first that can be evaluated decides.
 */
export async function exposuresOf(
  offers: readonly ConditionalOffer[],
  evaluate: (promql: string) => Promise<QueryVerdict>,
): Promise<Exposures> {
  const risks = new Map<string, Risk>();
  for (const { risks: named } of offers)
    for (const risk of named) if (!risks.has(risk.name)) risks.set(risk.name, risk);
  const exposures = new Map<string, Exposure>();
  const left = [...risks];
  const next = async (): Promise<void> => {
    for (let risk = left.shift(); risk !== undefined; risk = left.shift())
      exposures.set(risk[0], await exposureOf(risk[1], evaluate));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return exposures;
}

async function exposureOf(
  { matchingRules }: Risk,
  evaluate: (promql: string) => Promise<QueryVerdict>,
): Promise<Exposure> {
  const causes: string[] = [];
  for (const { type, promql } of matchingRules) {
    if (type === "Always") return { state: "applies" };
    const verdict = promql === undefined ? undefined : await evaluate(promql.promql);
    if (verdict?.state === "match") return { state: "applies" };
    if (verdict?.state === "no match") return { state: "does not apply" };
    causes.push(verdict?.cause ?? `rules of type ${type} are not known`);
  }
  return { state: "unknown", cause: causes.join("; ") };
}

const RECOMMENDED =
  "The update is recommended, because none of the conditional update risks apply to this cluster.";
const ACCEPTED =
  "The update is recommended, because either risk does not apply to this cluster or it is accepted by cluster admins.";
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** The condition Recommended of a conditional update. */
export function recommendedVerdict(
  risks: readonly Risk[],
  exposures: Exposures,
  accepted: ReadonlySet<string>,
): Verdict {
  const against: { readonly reason: string; readonly message: string; readonly unknown: boolean }[] = [];
  let accepts = false;
  for (const risk of risks) {
    const exposure = exposures.get(risk.name) ?? { state: "unknown", cause: "nobody asked" };
    if (exposure.state === "does not apply") continue;
    if (exposure.state === "unknown")
      against.push({ reason: "EvaluationFailed", message: unknownText(risk, exposure.cause), unknown: true });
    else if (accepted.has(risk.name)) accepts = true;
    else
      against.push({
        reason: REASON.test(risk.name) ? risk.name : "ExposedToRisks",
        message: `${risk.message} ${risk.url}`,
        unknown: false,
      });
  }
  const reasons = new Set(against.map(({ reason }) => reason));
  const [reason] = reasons;
  if (reason === undefined)
    return accepts
      ? { status: "True", reason: "AllExposedRisksAccepted", message: ACCEPTED }
      : { status: "True", reason: "NotExposedToRisks", message: RECOMMENDED };
  return {
    status: against.every(({ unknown }) => unknown) ? "Unknown" : "False",
    reason: reasons.size > 1 ? "MultipleReasons" : reason,
    message: shortened(against.map(({ message }) => message).join("\n\n")),
  };
}

const unknownText = ({ name, message, url }: Risk, cause: string): string =>
  `Could not evaluate exposure to update risk ${name} (${cause})\n  ${name} description: ${message}\n  ${name} URL: ${url}`;

/** The API server takes no more. */
const LONGEST = 32_768;
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
