import type { Clock } from "../../clock/clock.ts";
import type { Credentials } from "../http/connection.ts";
import { renewable } from "../kubeconfig/renewable.ts";
import { tokenEnd } from "../kubeconfig/token-end.ts";

/** The time before its end at which a token is read again: its next one has been put there by then. */
const MARGIN_MILLISECONDS = 60_000;
/** A rotated token is used after this at the latest, also where the old one says no end. */
const AT_MOST_MILLISECONDS = 5 * 60_000;
/** The pause before a token whose rotation is late is read again. */
const LATE_MILLISECONDS = 5_000;

/**
 * A service account's token that lies in a secret, where somebody else renews it. Read again before it ends, every five
 * minutes, and where the server refuses it.
 */
export const storedTokenCredentials = (read: () => Promise<string>, clock: Clock): Credentials =>
  renewable(async () => {
    const token = (await read()).trim();
    const now = clock.now();
    const end = endOf(token) ?? Number.POSITIVE_INFINITY;
    return {
      credential: { authorization: `Bearer ${token}` },
      expires: Math.max(
        Math.min(now + AT_MOST_MILLISECONDS, end - MARGIN_MILLISECONDS),
        now + LATE_MILLISECONDS,
      ),
    };
  }, clock);

/** Undefined for tokens of other forms: the server alone knows when they end. */
function endOf(token: string): number | undefined {
  try {
    return tokenEnd(token);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
