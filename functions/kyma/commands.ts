import { type Command, Option } from "commander";
import { asking } from "../../shared/function/asking.ts";
import type { CommandTools, SystemCommands } from "../../shared/function/command.ts";
import {
  blockers,
  type CatalogOptions,
  type CheckOptions,
  catalog,
  check,
  type EnableOptions,
  enable,
  type KymaOptions,
  type LintOptions,
  lint,
  type ModulesOptions,
  modules,
  type PackOptions,
  type PrintedOptions,
  pack,
  runtimes,
  status,
  type WindowsOptions,
  windows,
  write,
} from "./commands/actions.ts";
import { type ForceOptions, forceDelete } from "./commands/force/force-delete.ts";
import type { RunOptions } from "./commands/run/run.ts";
import { type RuntimeWatcherFlags, runtimeWatcher } from "./commands/runtime-watcher.ts";

/** `reveille kyma`: the modules of clusters, and what decides on them. */
export const commands: SystemCommands = (tools) => {
  const command = tools.withExamples(
    tools.command(
      "kyma",
      "modules of clusters: what there is, what a cluster has and why, what policies would change",
    ),
    [
      ["What can be installed?", "reveille kyma module catalog -n kcp-system"],
      ["How do a runtime's modules stand?", "reveille kyma module list -n kyma-system"],
      ["What would a policy do?", "reveille kyma policy check policy.yaml -n kcp-system"],
    ],
  );
  command.addCommand(moduleCommands(tools));
  command.addCommand(
    tools
      .withOutput(
        tools.withConfig(asking(tools, "windows", "tell when upgrades that interrupt the service may begin")),
      )
      .option("--kyma <name>", "of this Kyma (default: of all)")
      .option("-f, --file <file>", "the maintenance policy (default: the configuration's)")
      .action((options: WindowsOptions) => windows(tools, options)),
  );
  command.addCommand(policyCommands(tools));
  command.addCommand(
    tools
      .withOutput(asking(tools, "runtimes", "list runtimes: which answer, and which tell of their changes"))
      .action((options: PrintedOptions) => runtimes(tools, options)),
  );
  command.addCommand(
    tools
      .withOutput(
        asking(tools, "blockers", "tell what keeps a Kyma or modules that are to go, and what to type"),
      )
      .argument("<kyma>", "the Kyma")
      .action((name: string, options: PrintedOptions) => blockers(tools, name, options)),
  );
  command.addCommand(
    tools
      .withOutput(
        asking(
          tools,
          "force-delete",
          "tell what would stay behind of what cannot be deleted; with --confirm, take it away all the same",
        ),
      )
      .argument("<kyma>", "the Kyma")
      .argument("[modules...]", "these modules alone (default: the Kyma with all of them)")
      .option("--confirm <word>", "do it: the word that the command prints without this flag")
      .option("--reason <text>", "why, for whoever reads the Event later")
      .action((kyma: string, modules: string[], options: ForceOptions) =>
        forceDelete(tools, kyma, modules, options),
      ),
  );
  command.addCommand(runtimeWatcherCommand(tools));
  command.addCommand(runOnceCommand(tools));
  command.addCommand(
    tools
      .withOutput(
        tools.withConfig(
          tools.withState(
            tools.command(
              "lint",
              "judge versions of modules before they are released: exit code 1 with a fault",
            ),
          ),
        ),
      )
      .argument("<file...>", "ModuleReleaseMetas and ModuleTemplates as YAML")
      .option(
        "--folder <folder>",
        "an OCI layout with their components (default: the configuration's registry)",
      )
      .action((files: string[], options: LintOptions) => lint(tools, files, options)),
  );
  command.addCommand(packCommand(tools));
  return tools.withExamplesBelow(command, {
    pack: [
      [
        "A version for a catalog in a folder",
        "reveille kyma pack rendered.yaml --component acme.com/mods/alpha-store --version 1.4.2 --into ./catalog/components",
      ],
    ],
    run: [
      [
        "Into the cluster that kubectl asks, from a script",
        "reveille kyma run --catalog ./catalog -f kyma.yaml --timeout 15m --yes",
      ],
      [
        "The sample",
        "reveille kyma run --catalog functions/kyma/samples -f functions/kyma/samples/02-kyma.yaml",
      ],
    ],
    lint: [["Before it is released", "reveille kyma lint catalog.yaml --folder ./components"]],
    "runtime-watcher": [
      [
        "As the Deployment skr-webhook starts it",
        "KCP_ADDR=events.example.org TLS_CERT=tls.crt TLS_KEY=tls.key CA_CERT=ca.crt BEAT_MANAGER=lifecycle-manager reveille kyma runtime-watcher",
      ],
    ],
    "force-delete": [
      ["What would stay behind?", "reveille kyma force-delete rt-4711 mesh-core -n kcp-system"],
      [
        "Do it, with the word that it printed",
        'reveille kyma force-delete rt-4711 mesh-core -n kcp-system --confirm 0123456789ab --reason "cluster was lost"',
      ],
    ],
    runtimes: [["Of a landscape", "reveille kyma runtimes -n kcp-system"]],
    blockers: [["Why is a module not gone?", "reveille kyma blockers rt-4711 -n kcp-system"]],
    windows: [
      ["By a policy that is not in use yet", "reveille kyma windows --file policy.json -n kcp-system"],
    ],
  });
};

function moduleCommands(tools: CommandTools): Command {
  const withKyma = (one: Command): Command =>
    one.option("--kyma <name>", "the Kyma (in a runtime it is called default)", "default");
  const group = tools.withExamples(
    tools.command("module", "the modules of a Kyma, and the catalog that they are chosen from"),
    [["How do the modules of this runtime stand?", "reveille kyma module list -n kyma-system"]],
  );
  group.addCommand(
    tools
      .withOutput(tools.withConfig(asking(tools, "catalog", "list modules with their channels and versions")))
      .option("--kyma <name>", "tell what this Kyma cannot have, and why")
      .action((options: CatalogOptions) => catalog(tools, options)),
  );
  group.addCommand(
    withKyma(
      tools.withOutput(asking(tools, "list", "list the modules of a Kyma: version, state and why")),
    ).action((options: ModulesOptions) => modules(tools, options)),
  );
  group.addCommand(
    withKyma(
      tools.withOutput(asking(tools, "status", "tell how one module stands, and what is installed for it")),
    )
      .argument("<module>", "the module")
      .action((module: string, options: ModulesOptions) => status(tools, module, options)),
  );
  group.addCommand(
    withKyma(asking(tools, "enable", "have a module installed, or move it to another channel"))
      .argument("<module>", "the module")
      .option("--channel <channel>", "the channel that it follows (default: that of the Kyma)")
      .option("--version <version>", "the version that it stays at, where the configuration permits it")
      .addOption(
        new Option(
          "--custom-resource-policy <policy>",
          "what becomes of its default configuration object",
        ).choices(["CreateAndDelete", "Ignore"]),
      )
      .action((module: string, options: EnableOptions) => enable(tools, module, options)),
  );
  for (const [wish, description] of [
    ["disable", "have a module removed"],
    ["manage", "have a module looked after again"],
    ["unmanage", "have a module left alone: what is installed stays"],
  ] as const)
    group.addCommand(
      withKyma(asking(tools, wish, description))
        .argument("<module>", "the module")
        .action((module: string, options: KymaOptions) => write(tools, module, options, { wish })),
    );
  return tools.withExamplesBelow(group, {
    status: [
      ["What does it wait for?", "reveille kyma module status mesh-core --kyma rt-4711 -n kcp-system"],
    ],
    list: [["Of this runtime", "reveille kyma module list -n kyma-system"]],
    disable: [["It goes once nobody uses it", "reveille kyma module disable mesh-core -n kyma-system"]],
    manage: [["After changing it by hand", "reveille kyma module manage mesh-core -n kyma-system"]],
    catalog: [["For one Kyma", "reveille kyma module catalog --kyma rt-4711 -n kcp-system"]],
    enable: [["From another channel", "reveille kyma module enable mesh-core --channel fast -n kyma-system"]],
    unmanage: [["Before changing it by hand", "reveille kyma module unmanage mesh-core -n kyma-system"]],
  });
}

function policyCommands(tools: CommandTools): Command {
  const group = tools.withExamples(tools.command("policy", "rules of the control plane about modules"), [
    ["What would this one do?", "reveille kyma policy check policy.yaml -n kcp-system"],
  ]);
  group.addCommand(
    tools
      .withOutput(asking(tools, "check", "tell what policies would do to Kymas; write nothing"))
      .argument("<file...>", "KymaPolicies as YAML: each takes the place of the stored one of its name")
      .option("--kyma <name>", "to this Kyma (default: to all)")
      .option("--dry-run", "nothing is ever written; for those who type it anyway")
      .action((files: string[], options: CheckOptions) => check(tools, files, options)),
  );
  return tools.withExamplesBelow(group, {
    check: [["Before applying it", "reveille kyma policy check no-fast-channel.yaml -n kcp-system"]],
  });
}

function packCommand(tools: CommandTools): Command {
  return tools
    .command("pack", "pack the objects of a module's version as a component, into an OCI layout")
    .argument("<file...>", "its objects as YAML")
    .requiredOption("--component <name>", "its component, as the ModuleReleaseMeta names it")
    .requiredOption("--version <version>", "its version")
    .requiredOption("--into <folder>", "the folder of the OCI layout: made where there is none")
    .option(
      "--image <reference...>",
      "an image of another registry, which its workloads use in place of that of the same name and tag",
    )
    .action((files: string[], options: PackOptions) => pack(tools, files, options));
}

function runOnceCommand(tools: CommandTools): Command {
  return tools
    .withOutput(
      tools.withConfig(
        tools.withCluster(
          tools.command(
            "run",
            "install the modules of a Kyma from a folder into a cluster, and end: 0 if all of them are ready",
          ),
        ),
      ),
    )
    .requiredOption(
      "--catalog <folder>",
      "ModuleReleaseMetas and ModuleTemplates as YAML, and their components",
    )
    .requiredOption("-f, --file <file>", "the Kyma")
    .addOption(tools.durationOption("--timeout <duration>", "the time that it may take", "10m"))
    .option("-y, --yes", "change definitions of these kinds that stand there otherwise, without a question")
    .action(async (options: RunOptions) => {
      const { run } = await import("./commands/run/run.ts");
      await run(tools, options);
    });
}

function runtimeWatcherCommand(tools: CommandTools): Command {
  const from = (flags: string, description: string, variable: string): Option =>
    new Option(flags, description).env(variable);
  const needed = (flags: string, description: string, variable: string): Option =>
    from(flags, description, variable).makeOptionMandatory();
  return tools
    .command(
      "runtime-watcher",
      "tell the control plane what changes in a runtime: the webhook that runs there",
    )
    .addOption(needed("--control-plane <host>", "the control plane: a host, with :port", "KCP_ADDR"))
    .addOption(needed("--certificate <file>", "the certificate that is shown to both sides", "TLS_CERT"))
    .addOption(needed("--key <file>", "its key", "TLS_KEY"))
    .addOption(needed("--authorities <file>", "the authorities of the control plane", "CA_CERT"))
    .addOption(needed("--manager <name>", "whom it tells that it is alive", "BEAT_MANAGER"))
    .addOption(from("--beat <seconds>", "between two signs of life", "BEAT_SECONDS").default("60"))
    .addOption(from("--queue <folder>", "what is still to be told", "QUEUE_FOLDER").default("/app/queue"))
    .addOption(from("--port <number>", "of the webhook", "WEBHOOK_PORT").default("8443"))
    .addOption(from("--metrics-port <number>", "of /metrics", "METRICS_PORT").default("2112"))
    .action((flags: RuntimeWatcherFlags) => runtimeWatcher(flags));
}
