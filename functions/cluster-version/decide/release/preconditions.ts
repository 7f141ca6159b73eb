import type { Finding, Move } from "./preconditions/finding.ts";
import { giantHop } from "./preconditions/giant-hop.ts";
import { recommendedUpdate } from "./preconditions/recommended-update.ts";
import { rollback } from "./preconditions/rollback.ts";
import { upgradeable } from "./preconditions/upgradeable.ts";

export interface PreconditionsResult {
  readonly blocked: boolean;
  readonly findings: readonly Finding[];
  /** All findings in one text, empty where there are none: the cause in ReleaseAccepted where blocked, else the accepted risks. */
  readonly message: string;
}

const PRECONDITIONS = [rollback, giantHop, upgradeable, recommendedUpdate];

/** All of them, in order, whatever the first ones say. What is local (the controller's own payload) is not judged. */
export const checkPreconditions = (
  move: Move,
  { force, local }: { readonly force: boolean; readonly local: boolean },
): PreconditionsResult => judged(local ? [] : PRECONDITIONS.flatMap((judge) => judge(move) ?? []), force);

/** The result of findings: one that is no warning blocks, unless it is gone past by force. */
export function judged(findings: readonly Finding[], force: boolean): PreconditionsResult {
  const texts = findings.map(
    ({ name, reason, message }) => `Precondition "${name}" failed because of "${reason}": ${message}`,
  );
  const text =
    texts.length > 1 ? `Multiple precondition checks failed:\n* ${texts.join("\n* ")}` : (texts[0] ?? "");
  const blocking = findings.some(({ warning }) => !warning);
  return {
    blocked: blocking && !force,
    findings,
    message: blocking && force ? `Forced through blocking failures: ${text}` : text,
  };
}

/** The text of `history[0].acceptedRisks`, of the signature first; undefined where nothing was accepted. */
export function acceptedRisks(...texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined && text !== "");
  return said.length === 0 ? undefined : said.join("\n");
}
