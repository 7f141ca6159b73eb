import { type Command, Option } from "commander";
import type { CommandTools, OutputOption } from "../../../shared/function/command.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import {
  PARAMETER_CHECKS,
  type PackageFiles,
  type ParameterCheck,
  parameterObject,
  readPackage,
  verifyPackage,
} from "../decide/package/index.ts";
import { storedPackages } from "../ports/packages/adapters/index.ts";
import { newPackage } from "./new-package.ts";
import { parametersText, plansText, tasksText, verificationText } from "./package-text.ts";

interface WriteOptions {
  readonly destination: string;
  readonly overwrite?: true;
}
interface VerifyOptions extends OutputOption {
  readonly paramChecks?: readonly ParameterCheck[];
}
interface ListOptions extends OutputOption {
  readonly withTasksResources?: true;
  readonly descriptions?: true;
  readonly required?: true;
}

const packages = storedPackages();
const filesAt = async (place: string): Promise<PackageFiles> =>
  readPackage((await packages.open(place)).files);

const withDestination = (command: Command): Command =>
  command
    .option("-d, --destination <folder>", "the folder to write to", ".")
    .option("-w, --overwrite", "replace what is there");

/** `package`: make one, judge one, look into one. No cluster is asked. */
export function packageCommands(tools: CommandTools): Command {
  const command = tools.command("package", "make a package, verify it, look into it");
  command.addCommand(
    withDestination(tools.command("create", "pack the folder of a package into a .tgz"))
      .argument("<folder>", "the folder with operator.yaml and params.yaml")
      .action((place: string, options: WriteOptions) => create(tools, place, options)),
  );
  command.addCommand(
    withDestination(tools.command("new", "write the files of a new package, which can be installed"))
      .argument("<name>", "the name of the operator")
      .action((name: string, options: WriteOptions) => begin(tools, name, options)),
  );
  command.addCommand(
    tools
      .withOutput(tools.command("verify", "judge a package: what is wrong with it, and what is for nothing"))
      .argument("<package>", "a folder, a .tgz or a URL")
      .addOption(
        new Option("--param-checks <checks...>", "look at the form of parameters too").choices(
          PARAMETER_CHECKS,
        ),
      )
      .action((place: string, options: VerifyOptions) => verify(tools, place, options)),
  );
  command.addCommand(listCommands(tools));
  return tools.withExamplesBelow(command, {
    create: [["Pack it beside its folder", "reveille kudo package create ./operator"]],
    new: [["Begin one", "reveille kudo package new web --destination ./operator"]],
    verify: [["Before it is given away", "reveille kudo package verify ./operator --param-checks all"]],
    list: [["What does it do?", "reveille kudo package list plans ./operator"]],
  });
}

function listCommands(tools: CommandTools): Command {
  const list = tools.command("list", "list the plans, the tasks or the parameters of a package");
  const listing = (name: string, description: string): Command =>
    tools.withOutput(tools.command(name, description)).argument("<package>", "a folder, a .tgz or a URL");
  const show =
    (value: (files: PackageFiles) => unknown, text: (files: PackageFiles, options: ListOptions) => string) =>
    async (place: string, options: ListOptions): Promise<void> => {
      const format = tools.outputFormat(options.output);
      const files = await filesAt(place);
      tools.printAs(format, value(files), () => text(files, options));
    };
  list.addCommand(
    listing("plans", "list the plans as a tree")
      .option("--with-tasks-resources", "with the templates of each task")
      .action(
        show(
          ({ operator }) => operator.plans,
          (files, { withTasksResources }) => `${plansText(files, withTasksResources === true)}\n`,
        ),
      ),
  );
  list.addCommand(
    listing("tasks", "list the tasks").action(show(({ operator }) => operator.tasks, tasksText)),
  );
  list.addCommand(
    listing("parameters", "list the parameters")
      .option("--descriptions", "with what each is for")
      .option("--required", "those alone that need a value")
      .action(
        show(
          ({ params }) => params.parameters.map(parameterObject),
          (files, { descriptions, required }) =>
            parametersText(files, { descriptions: descriptions === true, required: required === true }),
        ),
      ),
  );
  return tools.withExamplesBelow(list, {
    plans: [["With their templates", "reveille kudo package list plans ./operator --with-tasks-resources"]],
    tasks: [["All of them", "reveille kudo package list tasks ./operator"]],
    parameters: [["What must be given?", "reveille kudo package list parameters ./operator --required"]],
  });
}

async function verify(tools: CommandTools, place: string, options: VerifyOptions): Promise<void> {
  const format = tools.outputFormat(options.output);
  const checks = new Set(options.paramChecks ?? []);
  const found = verifyPackage(await filesAt(place), { checks });
  tools.printAs(format, { ...found, valid: found.errors.length === 0 }, () => verificationText(found));
  refuse(found.errors);
}

function refuse(errors: readonly string[]): void {
  if (errors.length > 0)
    throw new CliError("CLI_KUDO_PACKAGE_FAULTY", `found ${errors.length} package verification errors`);
}

async function create(
  tools: CommandTools,
  place: string,
  { destination, overwrite }: WriteOptions,
): Promise<void> {
  const source = await packages.open(place);
  const files = readPackage(source.files);
  const found = verifyPackage(files);
  if (found.errors.length + found.warnings.length > 0) tools.say(verificationText(found));
  refuse(found.errors);
  const { name, operatorVersion } = files.operator;
  const [path] = await packages.save(
    destination,
    new Map([[`${name}-${operatorVersion}.tgz`, await packages.pack(place)]]),
    { overwrite: overwrite === true },
  );
  tools.print(`Package created: ${path ?? ""}`);
}

async function begin(
  tools: CommandTools,
  name: string,
  { destination, overwrite }: WriteOptions,
): Promise<void> {
  for (const path of await packages.save(destination, newPackage(name), { overwrite: overwrite === true }))
    tools.print(`${path} created`);
}
