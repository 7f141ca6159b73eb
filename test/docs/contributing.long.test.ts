// A newcomer with CONTRIBUTING.md alone: the files that it shows are written into a copy of the repository, as they stand there.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openCluster } from "../../infra/cli/cluster.ts";
import type * as CommandLine from "../../infra/testing/command-line.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { root, textOf } from "./pages.ts";

const page = "CONTRIBUTING.md";
const section =
  textOf(page)
    .split(/^## /m)
    .find((text) => text.startsWith("A system, ")) ?? assert.fail("no section");
/** Each file that the section shows: its name stands alone on the line above. */
const files = new Map(
  [...section.matchAll(/^`(\S+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => [
    name,
    text,
  ]),
);
/** The commands at the section's end. */
const commands = (/```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? "").trim().split("\n");

interface Ended {
  readonly code: number;
  readonly output: string;
}
const run = (cwd: string, command: string, words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = {
      ...process.env,
      VITEST: undefined,
      VITEST_POOL_ID: undefined,
      VITEST_WORKER_ID: undefined,
      NO_COLOR: "1",
    };
    execFile(command, [...words], { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });
const succeeds = async (cwd: string, line: string): Promise<string> => {
  const [command = "", ...words] = line.split(" ");
  const { code, output } = await run(cwd, command, words);
  assert.equal(code, 0, `${line}\n${output}`);
  return output;
};

describe("the system that CONTRIBUTING.md shows", () => {
  let copy = "";
  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), "reveille-newcomer-"));
    // What is not committed yet is there too.
    const listed = await succeeds(root, "git ls-files --cached --others --exclude-standard --deduplicate");
    const gone = new Set((await succeeds(root, "git ls-files --deleted")).split("\n"));
    for (const file of listed.trim().split("\n"))
      if (!gone.has(file)) cpSync(join(root, file), join(copy, file));
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    await succeeds(copy, "git init --quiet");
    await succeeds(copy, "git add --all");
    await succeeds(
      copy,
      "git -c user.name=newcomer -c user.email=newcomer@example.org commit --quiet --message before",
    );
    for (const [file, text] of files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      writeFileSync(join(copy, file), text);
    }
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it("lies in its own folder, and is checked and tested by the commands that the page names", async () => {
    assert.ok(files.size >= 15, String(files.size));
    assert.deepEqual(
      [...files.keys()].filter((file) => !file.startsWith("functions/orchard/")),
      [],
    );
    const last = commands.pop() ?? "";
    assert.match(last, /^npx reveille dev --systems orchard$/);
    for (const command of commands) await succeeds(copy, command);
  });

  it("touches only the places that the page names", async () => {
    const changed = (await succeeds(copy, "git status --porcelain --untracked-files=all"))
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(3));
    assert.ok(changed.some((file) => file.startsWith("infra/deploy/")));
    assert.deepEqual(
      changed.filter((file) => !files.has(file) && !file.startsWith("infra/deploy/")),
      [],
    );
  });

  it("runs in dev until an object has its status", async (t) => {
    const { startReveille, temporaryFolder } = (await import(
      pathToFileURL(join(copy, "infra/testing/command-line.ts")).href
    )) as typeof CommandLine;
    const data = temporaryFolder(t);
    const dev = startReveille(t, ["dev", "--systems", "orchard", "--data", data]);
    await dev.says("Ready after");
    const { client } = openCluster({ kubeconfig: join(data, "kubeconfig") });
    t.onTestFinished(() => client.close());
    const trees = {
      group: "orchard.example.org",
      version: "v1",
      kind: "Tree",
      plural: "trees",
      scope: "Namespaced",
    } as const;
    await eventually("the oldest tree to have its status", async () => {
      const tree = await client.get(trees, { namespace: "default", name: "oldest" });
      return (tree?.status as { readonly litres?: number } | undefined)?.litres === 20;
    });
    dev.child.kill("SIGTERM");
    const { code, stderr } = await dev.ended;
    assert.equal(code, 0, stderr);
  });
});
