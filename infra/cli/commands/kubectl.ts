import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Command } from "commander";
import { CliError } from "../../../shared/function/command-errors.ts";
import { withExamples, withState } from "../options.ts";

const INSTALL = "https://kubernetes.io/docs/tasks/tools/";

/** `reveille kubectl …`: the user's kubectl, pointed at what runs. */
export const kubectl = (): Command =>
  withExamples(
    withState(new Command("kubectl").description("run your kubectl against what runs here"))
      .argument("[words...]", "the words for kubectl")
      .allowUnknownOption()
      .passThroughOptions(),
    [
      ["What is there?", "reveille kubectl get all -A"],
      ["Of another folder", "reveille kubectl --data /tmp/reveille get pods"],
    ],
  ).action(async (words: readonly string[], { data }: { readonly data: string }) => {
    const { readRunFile, stateDirectory } = await import("../state-directory.ts");
    const directory = stateDirectory(data);
    const run = readRunFile(directory);
    const kubeconfig = run?.kubeconfig ?? directory.kubeconfig;
    if (run === undefined && !existsSync(kubeconfig))
      throw new CliError(
        "CLI_NO_RUN",
        `Nothing ran in ${directory.path} yet: start it with \`reveille dev\`, or name the folder with --data.`,
      );
    const context = run?.context === undefined ? [] : ["--context", run.context];
    process.exitCode = await runKubectl([...context, ...words], kubeconfig);
  });

function runKubectl(words: readonly string[], kubeconfig: string): Promise<number> {
  // Ctrl-C is kubectl's: it ends `get -w`, and we end with it.
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore);
  return new Promise((resolve, reject) => {
    const child = spawn("kubectl", [...words], {
      stdio: "inherit",
      env: { ...process.env, KUBECONFIG: kubeconfig },
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "ENOENT"
          ? new CliError(
              "CLI_NO_KUBECTL",
              `There is no kubectl on the PATH: install it (${INSTALL}), or point any other client at the kubeconfig ${kubeconfig}.`,
            )
          : error,
      );
    });
    child.on("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  }).finally(() => process.off("SIGINT", ignore)) as Promise<number>;
}
