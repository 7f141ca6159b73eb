import { createInterface } from "node:readline/promises";
import type { Clock } from "../../../shared/clock/clock.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { System } from "../../../shared/function/system.ts";
import { admittedTo } from "../../../shared/host/configuration.ts";
import { functionsOf, ownKindsOf } from "../../systems/declared.ts";
import { type OlderCrd, olderCrds } from "../../systems/older-crds.ts";
import { type CrdPlan, isChange, planCrds } from "../install/crds.ts";
import { refusePredecessors } from "../install/predecessors.ts";
import { describeRight, missingRights, type NeededRight, neededRights } from "../install/rights.ts";
import { type TakenOver, takeOverPlan } from "../install/take-over.ts";
import { say } from "../output.ts";
import type { Api } from "./api.ts";

export interface ConsentOptions {
  readonly yes: boolean;
  readonly namespace: string | undefined;
  /** The configuration, by the systems' names. */
  readonly configuration: Readonly<Record<string, unknown>> | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Asks before it changes somebody's own cluster: says what would be installed or changed, and which rights are missing. */
export async function askConsent(
  api: Api,
  systems: readonly System[],
  options: ConsentOptions,
): Promise<void> {
  const unseen = await refusePredecessors(api.client, systems, options.namespace);
  const functions = functionsOf(systems);
  const needed = neededRights(functions, options.namespace, admittedTo(systems, options.configuration));
  const [plans, missing] = await Promise.all([
    planCrds(api.client, ownKindsOf(functions)),
    missingRights(api.client, needed),
  ]);
  // Its fields can be told even where the CRD itself may not be seen.
  const older = plans.some(({ action }) => action === "trust") ? await olderCrds(api.client, functions) : [];
  say(planText(api, plans, older, needed, missing));
  const { plan, left } = await takeOverPlan({ ...options, client: api.client, systems });
  if (plan.length > 0) say(takeOverText(plan, left));
  for (const name of unseen)
    say(
      `  Whether ${name} runs there cannot be seen: this user may not list Deployments and StatefulSets everywhere.`,
    );
  const changes = plans.some(isChange);
  if ((!changes && missing.length === 0) || options.yes) return;
  await ask(changes ? "Install and change this?" : "Go on without these rights?", options.signal);
}

function planText(
  api: Api,
  plans: readonly CrdPlan[],
  older: readonly OlderCrd[],
  needed: readonly NeededRight[],
  missing: readonly NeededRight[],
): string {
  const lines = [`Cluster ${api.name} at ${api.server}:`];
  for (const { action, body, difference, managers } of plans) {
    const words = {
      create: "would be installed",
      change: "would be changed",
      keep: "is there already",
      trust: "is there already; this user may not see whether it differs",
    };
    lines.push(`  CRD ${body.metadata.name} ${words[action]}`);
    const lacks = older.find(({ crd }) => crd === body.metadata.name);
    if (action === "trust" && lacks !== undefined)
      lines.push(
        `    lacks fields that functions write: ${some(lacks.fields)}; their runs are parked until an administrator applies what \`reveille crds\` prints`,
      );
    if (difference === undefined) continue;
    const parts = [
      ["added", difference.added],
      ["removed", difference.removed],
      ["changed", difference.changed],
    ] as const;
    for (const [word, paths] of parts) if (paths.length > 0) lines.push(`    fields ${word}: ${some(paths)}`);
    if (parts.every(([, paths]) => paths.length === 0))
      lines.push("    only names or printer columns differ");
    if (managers.length > 0) lines.push(`    written so far by: ${managers.join(", ")}`);
  }
  if (missing.length === 0) lines.push(`  Rights: all ${needed.length} that are needed are there`);
  else {
    lines.push(
      `  Rights: ${missing.length} of ${needed.length} are missing (\`reveille rbac\` prints what grants them):`,
    );
    for (const right of missing.slice(0, 12)) lines.push(`    ${describeRight(right)}`);
    if (missing.length > 12) lines.push(`    and ${missing.length - 12} more`);
  }
  return lines.join("\n");
}

const SHOWN = 60;

/** The plan for the objects of the operator before, one line each. */
function takeOverText(plan: readonly TakenOver[], left: number): string {
  const lines = plan.slice(0, SHOWN).map(({ about, says }) => `    ${about}: ${says}`);
  const more = plan.length - lines.length + left;
  if (more > 0) lines.push(`    and ${more} more: --namespace shows those of one namespace`);
  return ["  Objects that another operator wrote, and what taking over would do:", ...lines].join("\n");
}

const some = (paths: readonly string[]): string =>
  paths.length > 6 ? `${paths.slice(0, 6).join(", ")} and ${paths.length - 6} more` : paths.join(", ");

/** Throws a `CliError` unless the answer is yes. */
export async function ask(question: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CliError("CLI_NOT_CONFIRMED", `${question} Nobody can be asked here: repeat it with --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (/^y(es)?$/i.test(answer.trim())) return;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    terminal.close();
  }
  throw new CliError("CLI_NOT_CONFIRMED", "Nothing was changed.");
}
