import { basename, dirname, resolve } from "node:path";
import { type AskOptions, askIn } from "../../../shared/function/asking.ts";
import type { CommandTools, OutputOption } from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { releaseOfTag } from "../decide/names/index.ts";
import { opened, type SourceOptions, sourceAt } from "./source.ts";

export interface ListOptions extends AskOptions, OutputOption {
  readonly allNamespaces?: true;
}
export interface ReleasesOptions extends SourceOptions, OutputOption {
  readonly read: boolean;
}
export interface VerifyOptions extends SourceOptions, OutputOption {
  readonly from?: string;
  readonly helm?: string;
}

/** `list`: what Clusters can use, why not, and who does. */
export async function list(tools: CommandTools, given: ListOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  if (given.allNamespaces === true && given.namespace !== undefined)
    throw new UsageError("Say one of --namespace and --all-namespaces.");
  const [{ listedStacks, listText }, { landscapeOf }] = await Promise.all([
    import("./list.ts"),
    import("./read.ts"),
  ]);
  await askIn(tools, given, async (client, { namespace }) => {
    const stacks = listedStacks(
      await landscapeOf(client, given.allNamespaces === true ? undefined : namespace),
    );
    tools.printAs(format, stacks, () => listText(stacks));
  });
}

/** `releases`: what a source has. */
export async function releases(tools: CommandTools, place: string, options: ReleasesOptions): Promise<void> {
  const format = tools.outputFormat(options.output);
  const { findReleases, releasesText } = await import("./releases.ts");
  const found = await findReleases(sourceAt(place, options), options.read);
  tools.printAs(format, found, () => releasesText(found, options.read));
  if (found.strayTags.length > 0 && format === undefined)
    tools.say(`No names of releases: ${found.strayTags.join(", ")}`);
}

/** `verify`: the faults of one release. */
export async function verify(tools: CommandTools, place: string, options: VerifyOptions): Promise<void> {
  const format = tools.outputFormat(options.output);
  const [{ verdictOn, verdictText }, { configuredCharts }] = await Promise.all([
    import("./verify.ts"),
    import("../ports/charts/adapters/index.ts"),
  ]);
  const { tag, source } =
    options.from === undefined
      ? { tag: basename(resolve(place)), source: dirname(resolve(place)) }
      : { tag: place, source: options.from };
  const name = releaseOfTag(tag);
  if (name === undefined)
    throw new UsageError(
      `${tag} is no name of a release, PROVIDER-NAME-MAJOR-MINOR-VERSION: docker-scs-1-30-v1. The folder of a release is called by it.`,
    );
  const verdict = await verdictOn(
    name,
    await opened(sourceAt(source, options), tag),
    configuredCharts({ helm: options.helm }),
  );
  tools.printAs(format, verdict, () => verdictText(verdict));
  for (const note of verdict.notes) tools.say(`note: ${note}`);
  const { length } = verdict.faults;
  if (length > 0)
    throw new CliError(
      "CLI_STACK_RELEASE_FAULTY",
      `${tag} has ${length} fault${length === 1 ? "" : "s"}: a ClusterStack would not offer it.`,
    );
}
