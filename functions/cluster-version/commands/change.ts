import type { CommandTools } from "../../../shared/function/command.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterVersion } from "../kinds/index.ts";
import { requireVersion, type Version } from "./read.ts";
import type { Outcome } from "./request.ts";

/** The field manager under which the commands write. */
const FIELD_MANAGER = "reveille-cli";

/** The tries of a write whose ClusterVersion only its operator changes meanwhile. */
const TRIES = 5;

/**
 * Decides on the ClusterVersion that is there and writes what was decided, unless somebody changed what it asks for meanwhile. What
 * its operator writes meanwhile is no reason not to write: where the spec is still as it was read, it is decided anew and tried again. A
 * dry run prints the patch and writes nothing. Throws a `CliError` where the wish is refused.
 */
export async function change(
  { print, say }: Pick<CommandTools, "print" | "say">,
  client: KubeClient,
  decide: (version: Version) => Outcome,
  dryRun: boolean,
): Promise<void> {
  const read = await requireVersion(client);
  const warned = new Set<string>();
  for (let version = read, tries = 1; ; tries += 1) {
    const outcome = decide(version);
    if (outcome.outcome === "refused") throw new CliError("CLI_UPDATE_REFUSED", outcome.said);
    if (outcome.outcome === "nothing") return print(`${outcome.said} Nothing was written.`);
    for (const warning of outcome.warnings) if (!warned.has(warning)) say(warning);
    for (const warning of outcome.warnings) warned.add(warning);
    if (dryRun) {
      print(JSON.stringify({ spec: outcome.spec }, null, 2));
      say("A dry run: nothing was written.");
      return;
    }
    try {
      await write(client, version, outcome.spec);
      return print(outcome.said);
    } catch (thrown) {
      if (!(thrown instanceof KubeError)) throw thrown;
      if (thrown.kind === "invalid" || thrown.kind === "forbidden")
        throw new CliError("CLI_UPDATE_REFUSED", thrown.message, { cause: thrown });
      if (thrown.kind !== "stale") throw thrown;
      const now = await requireVersion(client);
      if (tries === TRIES || now.metadata.uid !== read.metadata.uid || !sameJson(now.spec, read.spec))
        throw new CliError(
          "CLI_CLUSTER_VERSION_CHANGED",
          "The ClusterVersion was changed meanwhile, so nothing was written: look at it, and ask once more.",
          { cause: thrown },
        );
      version = now;
    }
  }
}

/** Patches the spec with the version that was decided on: what somebody else asks for meanwhile is not overwritten. */
async function write(client: KubeClient, { metadata }: Version, spec: object): Promise<void> {
  await client.patch(
    resourceOf(ClusterVersion),
    { name: metadata.name },
    "merge",
    { metadata: { resourceVersion: metadata.resourceVersion }, spec },
    { fieldManager: FIELD_MANAGER },
  );
}
