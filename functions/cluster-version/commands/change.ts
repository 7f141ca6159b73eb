import type { CommandTools } from "../../../shared/function/command.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterVersion } from "../kinds/index.ts";
import { requireVersion, type Version } from "./read.ts";
import type { Outcome } from "./request.ts";

/** The field manager under which the commands write. */
const FIELD_MANAGER = "reveille-cli";

/**
 * Decides on the ClusterVersion that is there and writes what was decided, unless it was changed meanwhile. A dry run prints the patch
 * and writes nothing. Throws a `CliError` where the wish is refused.
 */
export async function change(
  { print, say }: Pick<CommandTools, "print" | "say">,
  client: KubeClient,
  decide: (version: Version) => Outcome,
  dryRun: boolean,
): Promise<void> {
  const version = await requireVersion(client);
  const outcome = decide(version);
  if (outcome.outcome === "refused") throw new CliError("CLI_UPDATE_REFUSED", outcome.said);
  if (outcome.outcome === "nothing") return print(`${outcome.said} Nothing was written.`);
  for (const warning of outcome.warnings) say(warning);
  const { resourceVersion } = version.metadata;
  if (dryRun) {
    print(JSON.stringify({ spec: outcome.spec }, null, 2));
    say("A dry run: nothing was written.");
    return;
  }
  try {
    await client.patch(
      resourceOf(ClusterVersion),
      { name: version.metadata.name },
      "merge",
      // With the version that was decided on: what somebody else asks for meanwhile is not overwritten.
      { metadata: { resourceVersion }, spec: outcome.spec },
      { fieldManager: FIELD_MANAGER },
    );
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "stale")
      throw new CliError(
        "CLI_CLUSTER_VERSION_CHANGED",
        "The ClusterVersion was changed meanwhile, so nothing was written: look at it, and ask once more.",
        { cause: thrown },
      );
    if (thrown instanceof KubeError && (thrown.kind === "invalid" || thrown.kind === "forbidden"))
      throw new CliError("CLI_UPDATE_REFUSED", thrown.message, { cause: thrown });
    throw thrown;
  }
  print(outcome.said);
}
