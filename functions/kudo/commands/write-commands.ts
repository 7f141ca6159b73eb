import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { type AskOptions, askIn, asking, type Placed } from "../../../shared/function/asking.ts";
import type { CommandTools } from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { compareVersions, parseVersion } from "../../../shared/versions.ts";
import { contextOf, renderObjects } from "../decide/render/index.ts";
import { storedPackages } from "../ports/packages/adapters/index.ts";
import { dryRunOf, dryRunText, type ThoughtOf } from "./dry-run.ts";
import { followDeletion, followRun, runOf, type WantedRun } from "./follow.ts";
import {
  installDefinitions,
  installInstance,
  installNamespace,
  instanceObject,
  refuseExisting,
  requireParameters,
  storedVersion,
  versionInCluster,
} from "./install.ts";
import {
  type ChangeOptions,
  type InstanceOptions,
  type WaitOptions,
  withDryRun,
  withInstance,
  withParameters,
  withWait,
} from "./options.ts";
import { type ParameterOptions, parametersOf } from "./parameters.ts";
import { type AnInstance, type At, type AVersion, requireInstance, versionOf } from "./read.ts";
import { type Resolved, resolvePackage } from "./resolve.ts";
import { screenFor } from "./screen.ts";
import { deleteInstance, patchSpec } from "./write.ts";

interface InstallOptions extends AskOptions, WaitOptions, ParameterOptions {
  readonly instance?: string;
  readonly skipInstance?: true;
  readonly createNamespace?: true;
  readonly inCluster?: true;
  readonly operatorVersion?: string;
  readonly appVersion?: string;
  readonly dryRun?: true;
}

const packages = storedPackages();
const at = ({ namespace, instance }: Placed<InstanceOptions>): At => ({ namespace, name: instance });

/** The commands that write objects: of all but plans. */
export function writeCommands(tools: CommandTools): readonly Command[] {
  const changing = (name: string, description: string): Command =>
    withDryRun(withWait(withParameters(withInstance(asking(tools, name, description)))));
  return [
    withDryRun(
      withWait(withParameters(asking(tools, "install", "install a package: a folder, a .tgz or a URL"))),
    )
      .argument("<package>", "the package; with --in-cluster the name of an operator")
      .option("--instance <name>", "the name of the Instance (default: OPERATOR-instance)")
      .option("--skip-instance", "the definitions alone: Operator and OperatorVersion")
      .option("--create-namespace", "make the namespace, as the package's manifest says")
      .option("--in-cluster", "of an OperatorVersion that the cluster has already")
      .option("--operator-version <version>", "with --in-cluster: of this version (default: the newest)")
      .option("--app-version <version>", "with --in-cluster: for this version of the application")
      .action((place: string, options: InstallOptions) => install(tools, place, options)),
    changing("upgrade", "move an Instance to a newer version of its operator")
      .argument("<package>", "the package of the newer version")
      .action((place: string, options: ChangeOptions) => upgrade(tools, place, options)),
    changing("update", "change parameters of an Instance").action((options: ChangeOptions) =>
      update(tools, options),
    ),
    withWait(withInstance(asking(tools, "uninstall", "delete an Instance, after its cleanup plan"))).action(
      (options: InstanceOptions & WaitOptions) => uninstall(tools, options),
    ),
  ];
}

/** Follows a run where that is wanted, and shows it. */
export async function followed(
  tools: CommandTools,
  client: KubeClient,
  place: At,
  { wanted, version }: { readonly wanted: WantedRun; readonly version: AVersion | undefined },
  { wait, waitTime }: WaitOptions,
): Promise<void> {
  if (wait !== true) return;
  const screen = screenFor(tools, version, process.stdout.isTTY === true);
  let plan: Awaited<ReturnType<typeof followRun>>;
  try {
    plan = await followRun(client, place, wanted, {
      follow: tools.follow,
      limitMilliseconds: waitTime,
      told: screen.told,
    });
  } finally {
    screen.end();
  }
  if (plan === undefined)
    tools.print(`Instance ${place.name} has nothing to do: its last run had these values already.`);
}

function tellDryRun({ print, say }: CommandTools, thought: ThoughtOf): void {
  const told = dryRunOf(thought);
  if (told.refused !== undefined) throw new CliError("CLI_KUDO_REFUSED", dryRunText(told));
  print(dryRunText(told));
  say("A dry run: nothing was written.");
}

async function install(tools: CommandTools, place: string, options: InstallOptions): Promise<void> {
  const { inCluster, skipInstance, createNamespace, dryRun } = options;
  if (inCluster !== true && (options.operatorVersion !== undefined || options.appVersion !== undefined))
    throw new UsageError("--operator-version and --app-version are for --in-cluster: a package has its own.");
  const parameters = await parametersOf(options, packages);
  const resolved = inCluster === true ? undefined : await resolvePackage(place, packages);
  if (resolved !== undefined && skipInstance !== true)
    requireParameters(resolved.objects.operatorVersion.spec, parameters);
  await askIn(tools, options, async (client, { namespace }) => {
    const found =
      resolved === undefined ? await versionInCluster(client, namespace, place, options) : undefined;
    const definition = found ?? resolved?.objects.operatorVersion;
    if (definition === undefined) return;
    const operator = definition.spec?.operator?.name ?? place;
    const instance = instanceObject(
      operator,
      definition.metadata.name,
      options.instance,
      namespace,
      parameters,
    );
    if (dryRun === true) {
      const stored =
        resolved && (await storedVersion(client, resolved.objects.operatorVersion, namespace, tools.say));
      if (skipInstance === true)
        return tools.print("No plan would start: --skip-instance leaves out the Instance.");
      await refuseExisting(client, instance.metadata);
      return tellDryRun(tools, {
        instance: { ...instance, metadata: { ...instance.metadata, uid: "" } },
        version: stored ?? definition,
      });
    }
    if (createNamespace === true)
      await installNamespace(
        client,
        namespace,
        resolved && manifestOf(resolved, instance, parameters),
        tools.print,
      );
    const version = found ?? (resolved && (await installDefinitions(client, resolved, namespace, tools)));
    if (skipInstance === true) return;
    requireParameters(version?.spec, parameters);
    const created = await installInstance(client, instance, tools.print);
    await followed(
      tools,
      client,
      instance.metadata,
      { wanted: runOf(undefined, created, version), version },
      options,
    );
  });
}

function manifestOf(
  { files, objects }: Resolved,
  { metadata }: ReturnType<typeof instanceObject>,
  parameters: Readonly<Record<string, string>>,
) {
  const { namespaceManifest } = files.operator;
  if (namespaceManifest === "") return undefined;
  const { operatorVersion: version } = objects;
  const place = { instance: metadata.name, namespace: metadata.namespace, plan: "", phase: "", step: "" };
  const rendered = renderObjects(version, [namespaceManifest], contextOf(version, parameters, place, {}));
  if ("fault" in rendered)
    throw new CliError(
      "CLI_KUDO_PACKAGE_FAULTY",
      `The manifest of the namespace cannot be rendered: ${rendered.fault.message}. Nothing was written.`,
    );
  return rendered.value[0]?.object;
}

/** Writes the spec of an Instance, or tells what that would start. */
async function change(
  tools: CommandTools,
  client: KubeClient,
  before: { readonly instance: AnInstance; readonly version: AVersion },
  to: {
    readonly spec: {
      readonly operatorVersion?: { readonly name: string };
      readonly parameters?: Readonly<Record<string, string>>;
    };
    readonly version: ThoughtOf["version"];
    readonly written: () => Promise<AVersion>;
    readonly said: string;
  },
  options: Placed<ChangeOptions>,
): Promise<void> {
  const { instance } = before;
  if (options.dryRun === true) {
    const spec = {
      ...instance.spec,
      ...to.spec,
      parameters: { ...instance.spec?.parameters, ...to.spec.parameters },
    };
    return tellDryRun(tools, { before, instance: { ...instance, spec }, version: to.version });
  }
  const version = await to.written();
  const written = await patchSpec(client, instance, to.spec);
  tools.print(to.said);
  await followed(tools, client, at(options), { wanted: runOf(instance, written, version), version }, options);
}

async function update(tools: CommandTools, given: ChangeOptions): Promise<void> {
  const parameters = await parametersOf(given, packages);
  if (Object.keys(parameters).length === 0)
    throw new UsageError(
      "need to specify at least one parameter to override via -p or -P, otherwise there is nothing to update",
    );
  await askIn(tools, given, async (client, options) => {
    const instance = await requireInstance(client, at(options));
    const version = await versionOf(client, instance);
    const said = `Instance ${options.instance} was updated.`;
    await change(
      tools,
      client,
      { instance, version },
      { spec: { parameters }, version, written: async () => version, said },
      options,
    );
  });
}

async function upgrade(tools: CommandTools, place: string, given: ChangeOptions): Promise<void> {
  const [parameters, resolved] = await Promise.all([
    parametersOf(given, packages),
    resolvePackage(place, packages),
  ]);
  const { operatorVersion } = resolved.objects;
  await askIn(tools, given, async (client, options) => {
    const instance = await requireInstance(client, at(options));
    const version = await versionOf(client, instance);
    refuseOlder(version, resolved);
    await change(
      tools,
      client,
      { instance, version },
      {
        spec: {
          operatorVersion: { name: operatorVersion.metadata.name },
          ...(Object.keys(parameters).length > 0 && { parameters }),
        },
        version: operatorVersion,
        written: () => installDefinitions(client, resolved, options.namespace, tools),
        said: `instance.kudo.dev/v1beta1/${options.instance} updated`,
      },
      options,
    );
  });
}

/** An upgrade goes to a greater version of the same operator; whatever the application's is. */
function refuseOlder({ spec }: AVersion, { objects }: Resolved): void {
  const { spec: next } = objects.operatorVersion;
  const [operator, other] = [spec?.operator?.name ?? "", next?.operator?.name ?? ""];
  if (operator !== "" && operator !== other)
    throw new CliError(
      "CLI_KUDO_REFUSED",
      `The Instance is one of operator ${operator}, the package one of ${other}: name a package of ${operator}.`,
    );
  const [from, to] = [spec?.version ?? "", next?.version ?? ""];
  const [now, then] = [parseVersion(padded(from)), parseVersion(padded(to))];
  if (now !== undefined && then !== undefined && compareVersions(then, now) > 0) return;
  throw new CliError(
    "CLI_KUDO_REFUSED",
    `upgraded version ${to} is the same or smaller as current version ${from} -> not upgrading`,
  );
}

/** A version with the parts that packages leave out: `1.0` is 1.0.0. */
const padded = (text: string): string => {
  const [, core = "", rest = ""] = /^v?([\d.]+)(.*)$/.exec(text) ?? [];
  return `${[...core.split("."), "0", "0"].slice(0, 3).join(".")}${rest}`;
};

async function uninstall(tools: CommandTools, given: InstanceOptions & WaitOptions): Promise<void> {
  await askIn(tools, given, async (client, options) => {
    const instance = await requireInstance(client, at(options));
    await deleteInstance(client, instance);
    tools.print(`instance.kudo.dev/v1beta1/${options.instance} deleted`);
    if (options.wait !== true) return tellLeftovers(tools, instance, "unless its cleanup plan deletes them");
    let last = instance;
    const screen = screenFor(
      tools,
      await versionOf(client, instance).catch(forgotten),
      process.stdout.isTTY === true,
    );
    await followDeletion(client, at(options), instance.metadata.uid, {
      follow: tools.follow,
      limitMilliseconds: options.waitTime,
      told: (seen, isBegun) => {
        last = seen;
        screen.told(seen, isBegun);
      },
    });
    tellLeftovers(tools, last);
  });
}

/** Objects without a namespace have no owner: nobody deletes them with the Instance. */
function tellLeftovers({ say }: CommandTools, { status }: AnInstance, condition?: string): void {
  const left = (status?.clusterObjects ?? []).map(
    ({ apiVersion, kind, name }) => `${kind.toLowerCase()}.${apiVersion}/${name}`,
  );
  if (left.length === 0) return;
  say(
    `These objects of the whole cluster stay${condition === undefined ? "" : `, ${condition}`}; delete those that nobody else needs:`,
  );
  for (const one of left) say(`  ${one}`);
}

/** A version that is gone only takes the strategies from the tree. */
function forgotten(error: unknown): undefined {
  if (error instanceof CliError) return undefined;
  throw error;
}

/** Writes the lock of an Instance: which plan is to run, or none. */
export async function writeLock(
  tools: CommandTools,
  given: InstanceOptions & Partial<WaitOptions>,
  plan: { readonly name: string; readonly force: boolean },
): Promise<void> {
  await askIn(tools, given, async (client, options) => {
    const instance = await requireInstance(client, at(options));
    const version = await versionOf(client, instance);
    const uid = plan.name === "" ? "" : randomUUID();
    const written = await patchSpec(client, instance, {
      planExecution: {
        planName: plan.name,
        uid,
        status: plan.name === "" ? "" : "NEVER_RUN",
        ...(plan.force && { force: true }),
      },
    });
    const where = `${options.namespace}/${options.instance}`;
    if (plan.name === "") return tools.print(`Gave up the plan of ${where} instance`);
    tools.print(`Triggered ${plan.name} plan for ${where} instance`);
    const asked = written.spec?.planExecution?.uid || uid;
    const { wait, waitTime = 0 } = options;
    await followed(
      tools,
      client,
      at(options),
      { wanted: { by: "uid", uid: asked }, version },
      { ...(wait && { wait }), waitTime },
    );
  });
}
