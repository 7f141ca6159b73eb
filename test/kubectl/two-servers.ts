import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { faces } from "../../infra/local/faces/index.ts";
import { startLocalApi } from "../../infra/local/index.ts";
import { skipWithoutControlPlane, startControlPlane } from "../../infra/testing/control-plane.ts";

/** What a run of kubectl gave. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Run {
  readonly stdin?: string | object;
  readonly env?: Readonly<Record<string, string>>;
}

/** The same commands on the local API and on the real server. */
export interface TwoServers {
  /** A folder for files that commands name. */
  readonly folder: string;
  /** Runs kubectl on both and demands the same answer but for what differs by chance. Returns the local one. */
  same(command: string, run?: Run): Promise<Outcome>;
  /** As `same`, with outputs reduced to what `view` keeps. */
  sameView(command: string, view: (outcome: Outcome) => unknown, run?: Run): Promise<Outcome>;
  /** Runs on both without comparing: preparation. Fails where one fails. */
  both(command: string, run?: Run): Promise<void>;
  /** As `both`, again and again until it succeeds: for what a server takes up a moment later. */
  eventually(command: string): Promise<void>;
  stop(): Promise<void>;
}

const KUBECTL = "kubectl";
function kubectlPath(): string | undefined {
  const folders = [process.env.KUBEBUILDER_ASSETS ?? "", ...(process.env.PATH ?? "").split(delimiter)];
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, KUBECTL))
    .find(existsSync);
}

/** For `{ skip }`: why both servers and kubectl cannot run here. With `CI=true` never skipped, so that it fails. */
export function skipWithoutKubectl(): string | false {
  const missing = skipWithoutControlPlane();
  if (missing !== false || process.env.CI === "true") return missing;
  return kubectlPath() === undefined ? "kubectl is neither in KUBEBUILDER_ASSETS nor on PATH" : false;
}

/** Starts both servers and waits until both are ready. */
export async function startTwoServers(): Promise<TwoServers> {
  const kubectl = kubectlPath();
  assert.ok(kubectl, "kubectl is neither in KUBEBUILDER_ASSETS nor on PATH");
  const folder = mkdtempSync(join(tmpdir(), "reveille-kubectl-"));
  const [local, real] = await Promise.all([startLocalApi({ faces }), startControlPlane()]);
  const localConfig = join(folder, "local.kubeconfig");
  writeFileSync(localConfig, JSON.stringify(local.kubeconfig));
  const runOn = (
    side: "local" | "real",
    command: string,
    { stdin = "", env = {} }: Run = {},
  ): Promise<Outcome> =>
    execute(
      kubectl,
      ["--kubeconfig", side === "local" ? localConfig : real.kubeconfigFile, ...words(command)],
      {
        stdin: typeof stdin === "string" ? stdin : JSON.stringify(stdin),
        // Each has its own cache of discovery, and none is the user's.
        env: {
          PATH: process.env.PATH ?? "",
          HOME: join(folder, side),
          KUBECACHEDIR: join(folder, side),
          ...env,
        },
        cwd: folder,
      },
    );
  const sameView: TwoServers["sameView"] = async (command, view, run) => {
    const [ours, theirs] = await Promise.all([runOn("local", command, run), runOn("real", command, run)]);
    const difference = differenceOf(view(withoutChance(ours)), view(withoutChance(theirs)));
    assert.ok(difference === "", `kubectl ${command}\n${difference}`);
    return ours;
  };
  return {
    folder,
    sameView,
    same: (command, run) => sameView(command, (outcome) => outcome, run),
    async both(command, run) {
      for (const side of ["local", "real"] as const) {
        const { status, stderr } = await runOn(side, command, run);
        assert.equal(status, 0, `${side}: kubectl ${command}: ${stderr}`);
      }
    },
    async eventually(command) {
      const deadline = Date.now() + DEADLINE;
      for (const side of ["local", "real"] as const)
        for (let last = await runOn(side, command); last.status !== 0; last = await runOn(side, command))
          assert.ok(Date.now() < deadline, `${side}: kubectl ${command}: ${last.stderr}`);
    },
    async stop() {
      await Promise.all([local.close(), real.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lines of one side only: `+` the local API's, `-` the real server's. Empty where both are the same. */
function differenceOf(ours: unknown, theirs: unknown): string {
  const linesOf = (value: unknown): readonly string[] => JSON.stringify(value, null, 1).split(/\n|\\n/);
  const [left, right] = [linesOf(ours), linesOf(theirs)];
  if (left.join("\n") === right.join("\n")) return "";
  const only = (lines: readonly string[], others: readonly string[], sign: string): readonly string[] =>
    lines.filter((line) => !others.includes(line)).map((line) => `  ${sign} ${line}`);
  const lines = [...only(left, right, "+"), ...only(right, left, "-")];
  return lines.length > 0
    ? lines.join("\n")
    : `  the order of lines differs:\n${left.join("\n")}\n  here:\n${right.join("\n")}`;
}

/** Splits a command line; single and double quotes keep what is between them. */
const words = (command: string): readonly string[] =>
  [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"/g,
      (_, single: string | undefined, double: string | undefined) => single ?? double ?? "",
    ),
  );

const DEADLINE = 30_000;

function execute(
  program: string,
  args: readonly string[],
  {
    stdin,
    env,
    cwd,
  }: { readonly stdin: string; readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, timeout: DEADLINE });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
    child.stdin.on("error", reject);
    child.stdin.end(stdin);
  });
}

/** What differs from run to run and from server to server: ids, versions, times, addresses, ages, widths of columns. */
export function withoutChance(outcome: Outcome): Outcome {
  const clean = (text: string): string =>
    text
      // Lines of kubectl's own log, which a slow machine has it write.
      .replace(/^[IWE]\d{4} \d\d:\d\d:\d\d\.\d+ .*\n/gm, "")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "TIME")
      .replace(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "TIME")
      .replace(/(resourceVersion"?:\s*)"\d+"/g, '$1"VERSION"')
      .replace(/(Resource Version:\s*)\d+/g, "$1VERSION")
      .replace(/\b10\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g, "ADDRESS")
      .replace(/(nodePort"?:\s*)\d+/gi, "$1PORT")
      .replace(/(\d+:)3\d{4}\//g, "$1PORT/")
      .replace(/(?<=\s)(<invalid>|\d+m\d+s|\d+[smh])(?=\s|\)|$)/g, "AGE")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, "TIME")
      .replace(/\/tmp\/[\w./-]+/g, "FILE")
      .replace(/[ \t]+/g, " ")
      .replace(/ +$/gm, "")
      // The real server lists faults in the order of a Go map.
      .replace(/(?:^\* .*\n)+/gm, (faults) => faults.split("\n").sort().join("\n"));
  return { status: outcome.status, stdout: clean(outcome.stdout), stderr: clean(outcome.stderr) };
}

/** Asks both servers for the same, and compares what kubectl shows of their answers. */
export type Compare = (
  command: string,
  run?: Run & { readonly view?: (outcome: Outcome) => unknown },
) => Promise<void>;

/** A story in a namespace of its own. */
export type Scene = (same: Compare, namespace: string) => Promise<void>;
