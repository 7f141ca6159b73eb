import { Argument } from "commander";
import { type AskOptions, askIn, asking } from "../../shared/function/asking.ts";
import type {
  CommandTools,
  ConfigOption,
  OutputOption,
  SystemCommands,
} from "../../shared/function/command.ts";
import { CliError } from "../../shared/function/command-errors.ts";
import type { Listed } from "./commands/get-text.ts";
import { type InstanceOptions, withInstance } from "./commands/options.ts";
import { packageCommands } from "./commands/package-commands.ts";
import { planCommands } from "./commands/plan-commands.ts";
import { writeCommands } from "./commands/write-commands.ts";

/** Also a plugin: `kubectl kudo …`. */
export const kubectl = true;

/** The commands of upstream that there are not, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  repo: "There are no repositories of packages: nobody serves them any more. Install from a folder, a .tgz or an https URL.",
  search: "There are no repositories of packages to search: install from a folder, a .tgz or an https URL.",
  test: "Step folders are run by kuttl (`kubectl kuttl test`), with `kubectl kudo` on the PATH.",
};

/** `reveille kudo`, also as `kubectl kudo`: packages, Instances and their plans. */
export const commands: SystemCommands = (tools) => {
  const command = tools.withExamples(
    tools.command("kudo", "operators as packages: install, update and upgrade them, follow their plans"),
    [
      ["Install a package and follow its plan", "reveille kudo install ./operator --instance web --wait"],
      ["Change a parameter", "reveille kudo update --instance web -p REPLICAS=3 --wait"],
      ["How do its plans stand?", "reveille kudo plan status --instance web"],
    ],
  );
  for (const one of writeCommands(tools)) command.addCommand(one);
  command.addCommand(planCommands(tools));
  command.addCommand(packageCommands(tools));
  command.addCommand(
    tools
      .withOutput(asking(tools, "get", "list Instances, Operators, OperatorVersions, or all of them"))
      .addArgument(
        new Argument("[what]", "what to list")
          .choices(["instances", "operators", "operatorversions", "all"])
          .default("instances"),
      )
      .action((what: Listed, options: AskOptions & OutputOption) => get(tools, what, options)),
  );
  command.addCommand(
    tools
      .withOutput(
        tools.withConfig(tools.command("init", "print the CRDs, the roles and what registers the webhook")),
      )
      .action((options: ConfigOption & OutputOption) => init(tools, options)),
  );
  command.addCommand(
    tools
      .withOutput(tools.command("rbac", "print the role with which the objects of a package can be written"))
      .argument("<package>", "a folder, a .tgz or a URL")
      .action((place: string, options: OutputOption) => rbac(tools, place, options)),
  );
  command.addCommand(
    withInstance(
      asking(tools, "diagnostics", "write what is known of an Instance to a folder, without Secrets"),
    )
      .option("-d, --destination <folder>", "the folder to write to", "diagnostics")
      .option("-w, --overwrite", "replace what is there")
      .action((options: DiagnosticsOptions) => diagnostics(tools, options)),
  );
  for (const [name, why] of Object.entries(LEFT_OUT))
    command.addCommand(
      tools
        .command(name, "left out: says why")
        .argument("[words...]", "anything")
        .action(() => {
          throw new CliError("CLI_KUDO_LEFT_OUT", why);
        }),
    );
  return tools.withExamplesBelow(command, EXAMPLES);
};

interface DiagnosticsOptions extends InstanceOptions {
  readonly destination: string;
  readonly overwrite?: true;
}

const EXAMPLES: Parameters<CommandTools["withExamplesBelow"]>[1] = {
  install: [
    ["From a folder, and follow the plan", "reveille kudo install ./operator --instance web --wait"],
    ["What would it do?", "reveille kudo install ./operator -p REPLICAS=3 --dry-run"],
  ],
  upgrade: [["To a newer version", "reveille kudo upgrade ./operator --instance web --wait"]],
  update: [["Change a parameter", "reveille kudo update --instance web -p REPLICAS=3 --wait"]],
  uninstall: [["After its cleanup plan", "reveille kudo uninstall --instance web --wait"]],
  plan: [["How do its plans stand?", "reveille kudo plan status --instance web"]],
  package: [["Before it is given away", "reveille kudo package verify ./operator"]],
  get: [["Everything in a namespace", "reveille kudo get all -n team-a"]],
  init: [["Install what it needs", "reveille kudo init | kubectl apply --server-side -f -"]],
  rbac: [["What must be granted for it?", "reveille kudo rbac ./operator"]],
  diagnostics: [["For a report", "reveille kudo diagnostics --instance web"]],
  repo: [["Why not?", "reveille kudo repo"]],
  search: [["Why not?", "reveille kudo search"]],
  test: [["Why not?", "reveille kudo test"]],
};

async function get(tools: CommandTools, what: Listed, options: AskOptions & OutputOption): Promise<void> {
  const format = tools.outputFormat(options.output);
  const [{ getText }, { listAll }, kinds] = await Promise.all([
    import("./commands/get-text.ts"),
    import("./commands/read.ts"),
    import("./kinds/index.ts"),
  ]);
  await askIn(tools, options, async (client, { namespace }) => {
    const wanted = (one: Listed): boolean => what === one || what === "all";
    const [operators, versions, instances] = await Promise.all([
      wanted("operators") ? listAll(client, kinds.Operator, namespace) : [],
      wanted("operatorversions") ? listAll(client, kinds.OperatorVersion, namespace) : [],
      wanted("instances") ? listAll(client, kinds.Instance, namespace) : [],
    ]);
    const items = [...operators, ...versions, ...instances];
    tools.printAs(
      format,
      { apiVersion: "v1", kind: "List", items },
      () => `${getText(what, { operators, versions, instances }, namespace)}\n`,
    );
  });
}

async function init(tools: CommandTools, options: ConfigOption & OutputOption): Promise<void> {
  const { Instance, Operator, OperatorVersion } = await import("./kinds/index.ts");
  const objects = await tools.installation(options, [Operator, OperatorVersion, Instance]);
  tools.printAll(tools.outputFormat(options.output), objects);
}

async function rbac(tools: CommandTools, place: string, options: OutputOption): Promise<void> {
  const format = tools.outputFormat(options.output);
  const [{ storedPackages }, { resolvePackage }, { kindsOf, roleOf, runsPods }] = await Promise.all([
    import("./ports/packages/adapters/index.ts"),
    import("./commands/resolve.ts"),
    import("./commands/rights.ts"),
  ]);
  const { files, objects, children } = await resolvePackage(place, storedPackages());
  const all = [objects, ...children];
  const kinds = kindsOf(all);
  const { written, seen, faults } = kinds;
  const beside = seen.length === 0 ? "" : `, and their pods see ${seen.join(", ")}`;
  tools.say(
    `The templates hold ${written.join(", ") || "no object"}${beside}. What of it the setting configuration.kudo.kinds does not name, add there: \`reveille rbac\` and the chart derive the role from it.`,
  );
  for (const fault of faults) tools.say(`With the defaults alone it cannot be told: ${fault}`);
  tools.printAll(format, [roleOf(files.operator.name, kinds, all.some(runsPods))]);
}

async function diagnostics(tools: CommandTools, options: DiagnosticsOptions): Promise<void> {
  const [{ storedPackages }, { diagnosticFiles }] = await Promise.all([
    import("./ports/packages/adapters/index.ts"),
    import("./commands/diagnostics.ts"),
  ]);
  const { instance: name, destination, overwrite } = options;
  await askIn(tools, options, async (client, { namespace }) => {
    const files = await diagnosticFiles(client, { namespace, name });
    const written = await storedPackages().save(destination, files, { overwrite: overwrite === true });
    for (const path of written) tools.print(path);
  });
}
