import { systemClock } from "../../../shared/clock/clock.ts";
import { timeOf } from "../../../shared/clock/time.ts";
import { type AskOptions, askIn, type Placed } from "../../../shared/function/asking.ts";
import type {
  ClusterOptions,
  CommandTools,
  ConfigOption,
  OutputOption,
  StateOption,
} from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { type Configuration, configuration } from "../configuration.ts";
import { isChannel } from "../decide/resolution/index.ts";
import { type CustomResourcePolicy, isModuleName, isModuleVersion, LABELS } from "../kinds/index.ts";
import { registrySettings } from "../ports/components/index.ts";
import { diskFiles } from "../ports/files/adapters/index.ts";
import { catalogOf, findKyma, kymasOf, manifestsOf, policiesOf, requireKyma } from "./read.ts";
import type { ModuleWish } from "./wish.ts";

/** The flags of a command about one Kyma. */
export interface KymaOptions extends AskOptions {
  readonly kyma: string;
}
export interface CatalogOptions extends AskOptions, OutputOption, ConfigOption {
  readonly kyma?: string;
}
export interface PrintedOptions extends AskOptions, OutputOption {}
export interface ModulesOptions extends KymaOptions, OutputOption {}
export interface EnableOptions extends KymaOptions {
  readonly channel?: string;
  readonly version?: string;
  readonly customResourcePolicy?: CustomResourcePolicy;
}
export interface WindowsOptions extends AskOptions, OutputOption, ConfigOption {
  readonly kyma?: string;
  readonly file?: string;
}
export interface PackOptions {
  readonly component: string;
  readonly version: string;
  readonly into: string;
  readonly image?: readonly string[];
}
export interface LintOptions extends OutputOption, ConfigOption, StateOption {
  readonly folder?: string;
}
export interface CheckOptions extends AskOptions, OutputOption {
  readonly kyma?: string;
}

const configurationIn = async (
  tools: CommandTools,
  options: ConfigOption & ClusterOptions & StateOption,
): Promise<Configuration> => configuration.parse(await tools.configurationOf(options));

/** `module catalog`: what the catalog offers, and what one Kyma cannot have of it. */
export async function catalog(tools: CommandTools, given: CatalogOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { restrictedModules } = await configurationIn(tools, given);
  const { catalogText, listedReleases } = await import("./catalog.ts");
  await askIn(tools, given, async (client, { namespace, kyma }) => {
    const [stored, of] = await Promise.all([
      catalogOf(client, namespace),
      kyma === undefined ? undefined : requireKyma(client, namespace, kyma),
    ]);
    const listed = listedReleases(stored, restrictedModules, of);
    tools.printAs(format, listed, () => catalogText(listed, namespace));
  });
}

/** `module list`: the modules of one Kyma. */
export async function modules(tools: CommandTools, given: ModulesOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { listedModules, modulesText } = await import("./modules.ts");
  await askIn(tools, given, async (client, { namespace, kyma }) => {
    const found = await requireKyma(client, namespace, kyma);
    const listed = listedModules(found, await manifestsOf(client, namespace));
    tools.printAs(format, listed, () => modulesText(listed));
  });
}

/** `module status`: one module, and what is installed for it. */
export async function status(tools: CommandTools, module: string, given: ModulesOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { toldModule, toldText } = await import("./module-status.ts");
  await askIn(tools, given, async (client, { namespace, kyma }) => {
    const found = await requireKyma(client, namespace, kyma);
    const told = toldModule(found, await manifestsOf(client, namespace), module);
    tools.printAs(format, told, () => toldText(told));
  });
}

/** `module enable`: a module is wanted, on a channel or in a version. */
export function enable(tools: CommandTools, module: string, given: EnableOptions): Promise<void> {
  const { channel, version, customResourcePolicy } = given;
  if (!isModuleName(module))
    throw new UsageError(
      `${JSON.stringify(module)} names no module: write alpha-store, as \`reveille kyma module catalog\` lists it.`,
    );
  if (channel !== undefined && !isChannel(channel))
    throw new UsageError(
      `--channel ${channel} is no channel: write 3 to 32 lower-case letters, and not "none".`,
    );
  if (version !== undefined && !isModuleVersion(version))
    throw new UsageError(`--version ${version} is no version: write 1.4.2, or 1.4.2-rc1.`);
  if (channel !== undefined && version !== undefined)
    throw new UsageError(
      "Say one of --channel and --version: a module follows a channel or stays at a version.",
    );
  return write(tools, module, given, { wish: "enable", channel, version, customResourcePolicy });
}

/** Writes a wish about one module. */
export async function write(
  tools: CommandTools,
  module: string,
  given: KymaOptions,
  wish: ModuleWish,
): Promise<void> {
  const { lacksOf, writeWish, wishText } = await import("./wish.ts");
  await askIn(tools, given, async (client, { namespace, kyma }: Placed<KymaOptions>) => {
    const { changed, kyma: written } = await writeWish(client, { namespace, name: kyma }, module, wish);
    if (wish.wish === "enable")
      for (const lack of await lacksOf(client, written, module)) tools.say(`warning: ${lack}`);
    tools.print(`${namespace}/${kyma}: ${module} ${changed ? "is to be" : "was already"} ${wishText(wish)}.`);
  });
}

/** `windows`: when upgrades that interrupt the service may begin. */
export async function windows(tools: CommandTools, given: WindowsOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { maintenancePolicy, minimumWindowMinutes } = await configurationIn(tools, given);
  const { listedWindows, policyIn, windowsText } = await import("./windows.ts");
  const text =
    given.file === undefined
      ? maintenancePolicy && JSON.stringify(maintenancePolicy)
      : await diskFiles.text(given.file);
  const policy = text === undefined ? undefined : policyIn(text, given.file ?? "the configuration");
  await askIn(tools, given, async (client, { namespace, kyma }) => {
    const kymas =
      kyma === undefined ? await kymasOf(client, namespace) : [await requireKyma(client, namespace, kyma)];
    const listed = listedWindows(kymas, policy, `${minimumWindowMinutes}m`, timeOf(systemClock.now()));
    tools.printAs(format, listed, () => windowsText(listed, namespace));
  });
}

/** `policy check`: what policies would do to Kymas, were they applied. */
export async function check(
  tools: CommandTools,
  files: readonly string[],
  given: CheckOptions,
): Promise<void> {
  const format = tools.outputFormat(given.output);
  const config = await configurationIn(tools, given);
  const { checkPolicies, checkText, eachOnce, policiesIn } = await import("./policy-check.ts");
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await diskFiles.text(file) })));
  await askIn(tools, given, async (client, { namespace, kyma }) => {
    const written = eachOnce(texts.flatMap(({ file, text }) => policiesIn(text, file, namespace)));
    const [stored, kymas] = await Promise.all([
      policiesOf(client, namespace),
      kyma === undefined
        ? kymasOf(client, namespace)
        : requireKyma(client, namespace, kyma).then((one) => [one]),
    ]);
    const checked = checkPolicies(kymas, stored, written, config);
    tools.printAs(format, checked, () => checkText(checked));
    if (checked.faults.length > 0)
      throw new CliError(
        "CLI_KYMA_POLICY_REFUSED",
        "Not all rules would hold: what is in the way is told above.",
      );
  });
}

/** `runtimes`: which of them answer, and which tell of their changes. */
export async function runtimes(tools: CommandTools, given: PrintedOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { listedRuntimes, runtimesText } = await import("./runtimes.ts");
  await askIn(tools, given, async (client, { namespace }) => {
    const listed = listedRuntimes(await kymasOf(client, namespace));
    tools.printAs(format, listed, () => runtimesText(listed, namespace));
  });
}

/** `blockers`: what keeps a Kyma, or modules of one, that are to go. */
export async function blockers(tools: CommandTools, kyma: string, given: PrintedOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { blockersOf, blockersText } = await import("./blockers.ts");
  await askIn(tools, given, async (client, { namespace }) => {
    const own = (await manifestsOf(client, namespace)).filter(
      ({ metadata: { labels } }) => labels[LABELS.kymaName] === kyma,
    );
    // A Kyma whose finalizer somebody took off leaves its Manifests.
    const found = await (own.length > 0 ? findKyma : requireKyma)(client, namespace, kyma);
    const blocked = blockersOf(found, own);
    tools.printAs(format, blocked, () => blockersText(kyma, namespace, blocked));
  });
}

/** `pack`: a version of a module, from its objects into an OCI layout. */
export async function pack(
  tools: CommandTools,
  files: readonly string[],
  { component, version, into, image: images = [] }: PackOptions,
): Promise<void> {
  const { packVersion } = await import("./pack.ts");
  const { objects, digest } = await packVersion(files, { component, version, into, images }, diskFiles);
  tools.print(`${component}:${version} lies in ${into}: ${objects} objects, ${digest}`);
}

/** `lint`: the versions of modules in files, with the artifacts that they name. */
export async function lint(tools: CommandTools, files: readonly string[], given: LintOptions): Promise<void> {
  const format = tools.outputFormat(given.output);
  const { registry } =
    given.folder === undefined
      ? await configurationIn(tools, given)
      : { registry: registrySettings.parse({ folder: given.folder }) };
  const [{ catalogIn, lintCatalog, lintText }, { configuredComponents }] = await Promise.all([
    import("./lint.ts"),
    import("../ports/components/adapters/index.ts"),
  ]);
  const catalogs = await Promise.all(files.map(async (file) => catalogIn(await diskFiles.text(file), file)));
  const linted = await lintCatalog(
    {
      releases: catalogs.flatMap(({ releases }) => releases),
      templates: catalogs.flatMap(({ templates }) => templates),
    },
    configuredComponents(registry),
  );
  tools.printAs(format, linted, () => lintText(linted));
  if (linted.some(({ findings }) => findings.some(({ level }) => level === "fault")))
    throw new CliError(
      "CLI_KYMA_CATALOG_FAULTY",
      "Not all of it can be installed: what is in the way is told above.",
    );
}
