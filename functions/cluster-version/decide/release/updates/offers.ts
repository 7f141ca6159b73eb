import { compareVersions, newestFirst, parseVersion } from "../../../../../shared/versions.ts";
import type { MatchingRule, Release, Risk } from "../types.ts";
import { type Graph, type LooseRisk, readGraph, releaseOf } from "./graph-schema.ts";

/** An update that is offered under risks, not yet judged. */
export interface ConditionalOffer {
  readonly release: Release;
  readonly risks: readonly Risk[];
}
/** The updates that a graph offers to one version. */
export interface Offers {
  readonly updates: readonly Release[];
  readonly conditional: readonly ConditionalOffer[];
  /** The updates that were left out, in words: the status could not hold them or nobody could judge them. */
  readonly omitted: readonly string[];
}
export type GraphFault = {
  readonly reason: "ResponseInvalid" | "VersionNotFound";
  readonly message: string;
};

/** The limits of the API server's schema. */
const MOST_RISKS = 200;
const MOST_CONDITIONAL = 500;

/** The status holds the newest; the others are told by number, and by the newest of them. */
export const tooMany = ([newest, ...more]: readonly string[], what: string): readonly string[] =>
  newest === undefined ? [] : [`${more.length + 1} ${what} for which there is no room, ${newest} and older`];

/**
 * The next steps from `version` (4.11), newest first. A step that is both plain and conditional is conditional; a target of two
 * conditional steps is offered by neither.
 */
export function offersOf(
  said: unknown,
  asked: { readonly version: string; readonly channel: string; readonly migrates: boolean },
): Offers | GraphFault {
  const graph = readGraph(said);
  if ("fault" in graph) return { reason: "ResponseInvalid", message: graph.fault };
  const nodes = graph.nodes ?? [];
  const current = parseVersion(asked.version);
  const here = nodes.findIndex(({ version }) => {
    const other = parseVersion(version);
    return current !== undefined && other !== undefined && compareVersions(other, current) === 0;
  });
  const node = nodes[here];
  if (node === undefined)
    return {
      reason: "VersionNotFound",
      message: `currently reconciling cluster version ${asked.version} not found in the ${JSON.stringify(asked.channel)} channel`,
    };
  if (asked.migrates) return { updates: [releaseOf(node)], conditional: [], omitted: [] };
  const steps = plainSteps(graph, here);
  const risky = conditionalSteps(graph, asked.version);
  if ("reason" in steps) return steps;
  if ("reason" in risky) return risky;
  const images = new Set(risky.all.map(({ image }) => image));
  const conditional = sorted(risky.offers, ({ release }) => release);
  return {
    updates: sorted(
      steps.filter(({ image }) => !images.has(image)),
      (one) => one,
    ),
    conditional: conditional.slice(0, MOST_CONDITIONAL),
    omitted: [
      ...risky.omitted,
      ...tooMany(
        conditional.slice(MOST_CONDITIONAL).map(({ release }) => release.version),
        "updates under risks",
      ),
    ],
  };
}

const sorted = <Item>(items: readonly Item[], releaseOf: (item: Item) => Release): readonly Item[] =>
  items.toSorted((one, other) => newestFirst(releaseOf(one).version, releaseOf(other).version));

function plainSteps({ nodes, edges }: Graph, here: number): readonly Release[] | GraphFault {
  const targets = new Set((edges ?? []).filter(([from]) => from === here).map(([, to]) => to));
  const releases: Release[] = [];
  for (const target of targets) {
    const node = nodes?.[target];
    if (node === undefined)
      return { reason: "ResponseInvalid", message: `an edge leads to node ${target}, which is not there` };
    releases.push(releaseOf(node));
  }
  return releases;
}

interface ConditionalSteps {
  /** Every target, those included that are not offered after all: none of them is a plain one. */
  readonly all: readonly Release[];
  readonly offers: readonly ConditionalOffer[];
  readonly omitted: readonly string[];
}

function conditionalSteps(
  { nodes, conditionalEdges }: Graph,
  version: string,
): ConditionalSteps | GraphFault {
  const found: { readonly release: Release; readonly risks: readonly LooseRisk[] }[] = [];
  for (const { edges, risks } of conditionalEdges ?? [])
    for (const { from, to } of edges ?? []) {
      if (from !== version) continue;
      const node = nodes?.find((one) => one.version === to);
      if (node === undefined)
        return { reason: "ResponseInvalid", message: `no node for conditional update ${to}` };
      found.push({ release: releaseOf(node), risks: risks ?? [] });
    }
  const times = Map.groupBy(found, ({ release }) => release.image);
  const judged = found.map(({ release, risks }) => ({
    release,
    ...((times.get(release.image)?.length ?? 0) > 1
      ? { fault: "it is offered under conditions more than once" }
      : risksOf(risks)),
  }));
  return {
    all: found.map(({ release }) => release),
    offers: judged.flatMap((one) => ("risks" in one ? [{ release: one.release, risks: one.risks }] : [])),
    omitted: [
      ...new Set(judged.flatMap((one) => ("fault" in one ? [`${one.release.version}: ${one.fault}`] : []))),
    ],
  };
}

/** The risks as the status may hold them; rules that nobody knows are left out, a risk without any other makes the update unfit. */
function risksOf(
  loose: readonly LooseRisk[],
): { readonly risks: readonly Risk[] } | { readonly fault: string } {
  if (loose.length === 0) return { fault: "it names no risks" };
  const risks = new Map<string, Risk>();
  for (const { name, url, message, matchingRules } of loose) {
    const rules = (matchingRules ?? []).flatMap(ruleOf);
    if (!name || !url || !message || !URL.canParse(url))
      return { fault: `its risk ${JSON.stringify(name ?? "")} lacks a name, a URL or a message` };
    if (rules.length === 0) return { fault: `its risk ${name} has no rule that can be evaluated` };
    if (url.length > LONGEST_TEXT)
      return { fault: `the URL of its risk ${JSON.stringify(cut(name, 100))} is too long` };
    if (!risks.has(name))
      risks.set(name, { name, url, message: cut(message, LONGEST_TEXT), matchingRules: rules });
  }
  return risks.size > MOST_RISKS
    ? { fault: `it names more than ${MOST_RISKS} risks` }
    : { risks: [...risks.values()] };
}

/** More than a page of text nobody reads in a status, which holds hundreds of risks. In characters. */
const LONGEST_TEXT = 4_096;
const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

type LooseRule = NonNullable<LooseRisk["matchingRules"]>[number];
function ruleOf({ type, promql }: LooseRule): MatchingRule[] {
  if (type === "Always" && (promql ?? undefined) === undefined) return [{ type }];
  if (type === "PromQL" && promql?.promql) return [{ type, promql: { promql: promql.promql } }];
  return [];
}
