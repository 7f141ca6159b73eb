import type { ClusterState, Time } from "../../../../shared/function/index.ts";
import type { KymaStatus } from "../../kinds/index.ts";
import { conditionsOf, good, type KymaCondition, lacking, type Verdict } from "../conditions/index.ts";

/** The type of the condition about the Secret with which images are pulled. */
export const PULL_SECRET = "SKRImagePullSecretSync";
const MINE = ["Reachable", "CRDsSync", PULL_SECRET] as const;
type Mine = (typeof MINE)[number];

const REASONS = {
  "no secret": "WaitingForSecret",
  "several secrets": "SeveralSecrets",
  unreachable: "Unreachable",
} as const;

/** The verdict on a runtime: whether it answers. */
export const reachable = ({ state, reason }: ClusterState): Verdict<Mine> =>
  state === "reachable" ? good("Reachable") : lacking("Reachable", reason, REASONS[state]);

/** The verdict on the definitions in a runtime. */
export const definitionsCopied = (left: readonly string[]): Verdict<Mine> =>
  left.length === 0 ? good("CRDsSync") : lacking("CRDsSync", `Not served yet: ${left.join(", ")}.`);

/** The verdict where the server of a runtime does not take the definitions, or what they go with: its namespace and its Kyma. */
export const definitionsRefused = (why: string): Verdict<Mine> =>
  lacking("CRDsSync", `What each runtime gets cannot be written into it: ${why}`);

/** The same where it does not even let them be read. */
export const definitionsUnread = (why: string): Verdict<Mine> =>
  lacking("CRDsSync", `What each runtime gets cannot be looked at in it: ${why}`);

/**
 * The conditions of a Kyma that are about its runtime.
 * @param pullSecret the Secret with which images are pulled; without one nothing is said of it any more
 */
export const conditionsOfRuntime = (
  status: KymaStatus | undefined,
  pullSecret: string | undefined,
  verdicts: readonly Verdict<Mine>[],
  now: Time,
): KymaCondition<Mine>[] =>
  conditionsOf(
    status,
    MINE.filter((type) => pullSecret !== undefined || type !== PULL_SECRET),
    verdicts,
    now,
  );
