import { Argument, type Command, Option } from "commander";
import { asking } from "../../shared/function/asking.ts";
import type { SystemCommands } from "../../shared/function/command.ts";
import {
  awaitWish,
  type CreateOptions,
  create,
  type DiffOptions,
  diff,
  type GraphOptions,
  graph,
  type ListOptions,
  list,
  type PublishOptions,
  publish,
  type ReleasesOptions,
  releases,
  type VerifyOptions,
  verify,
  type WaitOptions,
} from "./commands/actions.ts";

import { withSource } from "./commands/source.ts";
import { AWAITED, type Awaited, GRAPH_FORMATS, MODES } from "./commands/words.ts";

/** `reveille cluster-stack`: stacks and their versions, sources of releases, and releases before anybody uses them. */
export const commands: SystemCommands = (tools) => {
  const command = tools.withExamples(
    tools.command(
      "cluster-stack",
      "releases of cluster stacks: which there are, who uses them, whether one is whole; make and publish them",
    ),
    [
      ["Which versions can Clusters use?", "reveille cluster-stack list -A"],
      ["What does a source offer?", "reveille cluster-stack releases github:acme/stacks"],
      ["Is a release whole?", "reveille cluster-stack verify ./releases/docker-ferrol-1-27-v1"],
    ],
  );
  const withHelm = (one: Command): Command =>
    one.option("--helm <file>", "render charts with this helm (default: without one)");
  command.addCommand(
    tools
      .withOutput(asking(tools, "list", "list the versions of stacks: usable or why not, and in use by whom"))
      .option("-A, --all-namespaces", "the stacks of all namespaces")
      .action((options: ListOptions) => list(tools, options)),
  );
  command.addCommand(
    withSource(tools.withOutput(tools.command("releases", "list the releases of a source")))
      .argument("<source>", "a folder of releases, github:owner/name or oci://registry/path")
      .option("--no-read", "list names alone: of GitHub each asset that is read is a request")
      .action((place: string, options: ReleasesOptions) => releases(tools, place, options)),
  );
  command.addCommand(
    withHelm(
      withSource(
        tools.withOutput(
          tools.command("verify", "judge a release: a line for each fault, exit code 1 with one"),
        ),
      ),
    )
      .argument("<release>", "the folder of a release, which is its tag; with --from the tag")
      .option("--from <source>", "the source that has it")
      .action((release: string, options: VerifyOptions) => verify(tools, release, options)),
  );
  command.addCommand(
    withHelm(withSource(tools.command("create", "pack the source of a stack into a release")))
      .argument("<folder>", "the folder with csctl.yaml, cluster-class/ and cluster-addon/")
      .addOption(
        new Option(
          "-m, --mode <mode>",
          "stable: one more than the version before, if anything changed; custom: the version that is given; hash: one made of the content",
        )
          .choices(MODES)
          .default("stable"),
      )
      .option("--cluster-stack-version <version>", "with --mode custom: v0-label.patch")
      .option(
        "--cluster-addon-version <version>",
        "with --mode custom: that of the addons (default: the same)",
      )
      .option("-d, --destination <folder>", "the folder of releases to write to", "releases")
      .option("--from <source>", "the source of the releases before (default: the destination)")
      .action((folder: string, options: CreateOptions) => create(tools, folder, options)),
  );
  command.addCommand(
    withHelm(withSource(tools.command("publish", "put a release where ClusterStacks find it")))
      .argument("<folder>", "the folder of the release, which is its tag")
      .requiredOption("--to <source>", "a folder of releases, or oci://registry/path")
      .action((folder: string, options: PublishOptions) => publish(tools, folder, options)),
  );
  command.addCommand(
    asking(tools, "graph", "show what follows from a stack: releases, classes, Clusters, addons")
      .argument("<name>", "a ClusterStack, or else a Cluster, and what leads to it")
      .addOption(new Option("-o, --output <format>", "print as").choices(GRAPH_FORMATS))
      .action((name: string, options: GraphOptions) => graph(tools, name, options)),
  );
  command.addCommand(
    asking(tools, "wait", "end when a version can be used, or the addons of a Cluster are ready")
      .addArgument(new Argument("<what>", "stack or cluster").choices(AWAITED))
      .argument("<name>", "the ClusterStack or Cluster")
      .option("--version <version>", "of a stack: this version (default: any)")
      .addOption(tools.durationOption("--timeout <duration>", "the time to wait", "10m"))
      .action((what: Awaited, name: string, options: WaitOptions) => awaitWish(tools, what, name, options)),
  );
  command.addCommand(
    withHelm(
      tools.withOutput(
        tools.withConfig(
          asking(
            tools,
            "diff",
            "tell what moving a Cluster to another class does to its addons; write nothing",
          ),
        ),
      ),
    )
      .argument("<cluster>", "the Cluster")
      .requiredOption("--to <class>", "the class that it would move to")
      .option("--from <source>", "the source of the release (default: the one that the configuration names)")
      .action((name: string, options: DiffOptions) => diff(tools, name, options)),
  );
  return tools.withExamplesBelow(command, {
    diff: [["Before an upgrade", "reveille cluster-stack diff demo --to docker-scs-1-31-v1 -n stacks"]],
    graph: [
      ["What is in the way of it?", "reveille cluster-stack graph ferrol -n stacks"],
      ["As a picture", "reveille cluster-stack graph ferrol -n stacks -o svg > ferrol.svg"],
    ],
    wait: [
      ["For a version", "reveille cluster-stack wait stack ferrol --version v2 -n stacks"],
      ["For the addons of a Cluster", "reveille cluster-stack wait cluster demo -n stacks --timeout 30m"],
    ],
    create: [
      ["The next stable release", "reveille cluster-stack create ./docker/scs --destination ./releases"],
      ["To try a change", "reveille cluster-stack create ./docker/scs --mode hash"],
    ],
    publish: [
      [
        "To a registry",
        "reveille cluster-stack publish ./releases/docker-scs-1-30-v1 --to oci://registry.example.org/stacks",
      ],
    ],
    list: [["All of them", "reveille cluster-stack list -A"]],
    releases: [["Of a registry", "reveille cluster-stack releases oci://registry.example.org/stacks"]],
    verify: [
      ["A folder", "reveille cluster-stack verify ./releases/docker-ferrol-1-27-v1"],
      ["What others publish", "reveille cluster-stack verify docker-scs-1-30-v1 --from github:acme/stacks"],
    ],
  });
};
