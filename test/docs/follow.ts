import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestContext } from "vitest";
import { blocksOf, root, textOf } from "./pages.ts";

/** What stays: the page expects another terminal for it. */
const STAYS = /^(nats-server|(npx )?reveille (run|watcher|worker|serve))\b/;

export interface Followed {
  /** Where the page's files lie, and its commands run. */
  readonly folder: string;
  /** Runs one more command to its end; its output. */
  run(command: string): Promise<string>;
  /** What the commands that stay have said so far. */
  said(): string;
}

/**
 * Types a page as a reader would, in a new folder: writes the files that it names (`name`: before a block) and runs the lines
 * of its shell blocks in their order. Fails where one fails, or where one that should stay ends.
 * @param change of a line or a file before it is used: ports, for example
 */
export async function follow(
  t: TestContext,
  page: string,
  kubeconfig: string,
  change: (text: string) => string = (text) => text,
): Promise<Followed> {
  const folder = mkdtempSync(join(tmpdir(), "reveille-page-"));
  const stays: { readonly line: string; readonly child: ChildProcess }[] = [];
  let said = "";
  t.onTestFinished(async () => {
    for (const { child } of stays.toReversed()) {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const env = prepare(folder, kubeconfig);
  const run = async (command: string): Promise<string> => {
    const { stdout } = await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", command], {
      cwd: folder,
      env,
      timeout: 120_000,
    });
    return stdout;
  };
  const text = textOf(page);
  const blocks = blocksOf(page);
  for (const block of blocks) {
    const name =
      /^# ([\w.-]+\.yaml)\n/.exec(block.text)?.[1] ??
      /`([\w.-]+)`:\n\n$/.exec(text.slice(0, text.indexOf(`\`\`\`${block.language}\n${block.text}`)))?.[1];
    if (block.language !== "sh" && name !== undefined) writeFileSync(join(folder, name), change(block.text));
  }
  for (const block of blocks.filter(({ language }) => language === "sh"))
    for (const line of change(block.text).trim().split("\n")) {
      if (!STAYS.test(line)) {
        await run(line);
        continue;
      }
      const child = spawn("bash", ["--norc", "-c", `exec ${line}`], { cwd: folder, env });
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (chunk: string) => {
          said += chunk;
        });
      stays.push({ line, child });
    }
  return {
    folder,
    run,
    said: () => {
      for (const { line, child } of stays) assert.equal(child.exitCode, null, `${line} ended:\n${said}`);
      return said;
    },
  };
}

/** The words that a reader has: `reveille`, `npx reveille`, `npm start`; a home with the kubeconfig; the clone's folders. */
function prepare(folder: string, kubeconfig: string): NodeJS.ProcessEnv {
  const programs = join(folder, "bin");
  mkdirSync(programs);
  mkdirSync(join(folder, ".kube"));
  symlinkSync(kubeconfig, join(folder, ".kube/config"));
  for (const name of ["examples", "functions"]) symlinkSync(join(root, name), join(folder, name));
  const script = (name: string, text: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  script("reveille", `exec "${process.execPath}" "${join(root, "infra/cli/main.ts")}" "$@"`);
  script("npx", 'exec "$@"');
  script("npm", '[ "$1" = ci ] && exit 0; shift; [ "$1" = -- ] && shift; exec reveille dev --once "$@"');
  const { PATH, KUBEBUILDER_ASSETS } = process.env;
  return { HOME: folder, KUBEBUILDER_ASSETS, PATH: [programs, KUBEBUILDER_ASSETS, PATH].join(":") };
}
