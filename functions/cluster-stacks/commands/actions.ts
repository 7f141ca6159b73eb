import { basename, dirname, join, resolve } from "node:path";
import { systemClock } from "../../../shared/clock/clock.ts";
import { type AskOptions, askIn } from "../../../shared/function/asking.ts";
import type { CommandTools, ConfigOption, OutputOption } from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { faultText } from "../decide/assets/index.ts";
import { releaseOfClass, releaseOfTag } from "../decide/names/index.ts";
import { DEFAULT_SOURCE, type SecretPlace } from "../decide/source/index.ts";
import { ChartError, type Charts } from "../ports/charts/index.ts";
import type { VersionWish } from "./create.ts";
import { configuredSource, opened, type SourceOptions, sourceAt } from "./source.ts";
import type { Verdict } from "./verify.ts";
import type { Awaited, GraphFormat } from "./words.ts";

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

export interface CreateOptions extends SourceOptions, VersionWish {
  readonly destination: string;
  readonly from?: string;
  readonly helm?: string;
}
export interface PublishOptions extends SourceOptions {
  readonly to: string;
  readonly helm?: string;
}

export interface GraphOptions extends AskOptions {
  readonly output?: GraphFormat;
}
export interface WaitOptions extends AskOptions {
  readonly version?: string;
  readonly timeout: number;
}

export interface DiffOptions extends AskOptions, OutputOption, ConfigOption {
  readonly to: string;
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
  const [{ verdictOn, verdictText }, charts] = await Promise.all([
    import("./verify.ts"),
    chartsWith(options),
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
  const verdict = await verdictOn(name, await opened(sourceAt(source, options), tag), charts);
  tools.printAs(format, verdict, () => verdictText(verdict));
  tellNotes(tools, verdict);
  refuse(verdict, "a ClusterStack would not offer it");
}

/** `create`: packs the source of a stack into a release. */
export async function create(tools: CommandTools, folder: string, options: CreateOptions): Promise<void> {
  const [{ createRelease }, outside] = await Promise.all([import("./create.ts"), outsideOf(options)]);
  const { destination, from } = options;
  const isFirst = from === undefined && !(await outside.folders.has(destination));
  const former = isFirst ? undefined : sourceAt(from ?? destination, options);
  const created = await createRelease(folder, options, former, outside);
  if (created.state === "unchanged")
    return tools.print(`Nothing changed since ${created.since}: no release was made.`);
  judged(tools, created.verdict, "it was not written");
  const place = join(destination, created.tag);
  await outside.folders.save(place, created.files);
  tools.print(`Release created: ${place}`);
}

/** `publish`: puts a release where ClusterStacks find it. */
export async function publish(tools: CommandTools, folder: string, options: PublishOptions): Promise<void> {
  const [{ publishRelease, readPublication }, outside] = await Promise.all([
    import("./publish.ts"),
    outsideOf(options),
  ]);
  const release = await readPublication(resolve(folder), outside);
  judged(tools, release.verdict, "it was not published");
  const now = systemClock.now();
  const place = await publishRelease(release, options.to, options, { folders: outside.folders, now });
  tools.print(`Release published: ${place}`);
}

/** `graph`: the objects from a stack to the addons of its Clusters. */
export async function graph(tools: CommandTools, name: string, given: GraphOptions): Promise<void> {
  const { output } = given;
  const [{ graphOf, providerStates }, text, { landscapeOf }] = await Promise.all([
    import("./graph.ts"),
    import("./graph-text.ts"),
    import("./read.ts"),
  ]);
  await askIn(tools, given, async (client, { namespace }) => {
    const landscape = await landscapeOf(client);
    const states = await providerStates(client, landscape.releases);
    const root = graphOf({ namespace, name }, landscape, states);
    if (output === "dot") return tools.print(text.graphDot(root));
    if (output === "svg") return tools.print(text.graphSvg(root));
    tools.printAs(output, root, () => text.graphText(root));
  });
}

/** `wait`: until a version can be used, or addons are ready. */
export async function awaitWish(
  tools: CommandTools,
  what: Awaited,
  name: string,
  given: WaitOptions,
): Promise<void> {
  const { waitFor } = await import("./wait.ts");
  await askIn(tools, given, async (client, { namespace, version, timeout }) =>
    waitFor(tools, client, { what, namespace, name, version }, timeout),
  );
}

/** `diff`: what moving a Cluster to another class does to its addons. */
export async function diff(tools: CommandTools, name: string, given: DiffOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const [{ readDiff }, { diffText }, { configuration }] = await Promise.all([
    import("./diff-read.ts"),
    import("./diff.ts"),
    import("../configuration.ts"),
  ]);
  const { from, to } = given;
  if (releaseOfClass(to) === undefined)
    throw new UsageError(`--to ${to} is no class of a stack: docker-scs-1-30-v1.`);
  const named = from === undefined ? undefined : sourceAt(from);
  const { sources, helm } = configuration.parse(await tools.configurationOf(given));
  const charts = await chartsWith({ helm: given.helm ?? helm });
  await askIn(tools, given, async (client, { namespace }) => {
    const secret = (at: SecretPlace) => client.get(resourceOf(Secret), at);
    const source = (called: string | undefined, of: string) =>
      named ?? configuredSource({ source: called ?? DEFAULT_SOURCE, namespace: of }, sources, secret);
    const found = await readDiff(client, { namespace, name, to }, { charts, source });
    tools.printAs(format, found, () => diffText(found));
  });
}

/** Folders on disk, and charts. */
async function outsideOf(options: { readonly helm?: string }) {
  const [{ diskFolders }, { ignoring }, charts] = await Promise.all([
    import("../ports/folders/adapters/index.ts"),
    import("../ports/charts/adapters/chart/ignore.ts"),
    chartsWith(options),
  ]);
  return { folders: diskFolders(), charts, ignoring };
}

/** Charts rendered by the helm that is named; one that does not run is no fault of a chart. */
async function chartsWith({ helm }: { readonly helm?: string | undefined }): Promise<Charts> {
  const { configuredCharts } = await import("../ports/charts/adapters/index.ts");
  const charts = configuredCharts({ helm });
  return {
    render: async (chart, request) => {
      try {
        return await charts.render(chart, request);
      } catch (cause) {
        if (!(cause instanceof ChartError) || cause.code !== "CHART_HELM_UNUSABLE") throw cause;
        throw new CliError("CLI_STACK_HELM_UNUSABLE", cause.message, { cause });
      }
    },
  };
}

function tellNotes(tools: CommandTools, { notes }: Verdict): void {
  for (const note of notes) tools.say(`note: ${note}`);
}

/** Tells the faults of a release, of which nothing comes then. @throws CliError */
function judged(tools: CommandTools, verdict: Verdict, outcome: string): void {
  tellNotes(tools, verdict);
  for (const fault of verdict.faults) tools.print(faultText(fault));
  refuse(verdict, outcome);
}

/** @throws CliError where a release has faults */
function refuse(verdict: Verdict, outcome: string): void {
  const { length } = verdict.faults;
  if (length === 0) return;
  throw new CliError(
    "CLI_STACK_RELEASE_FAULTY",
    `${verdict.release} has ${length} fault${length === 1 ? "" : "s"}: ${outcome}.`,
  );
}
