import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "vitest";
import { bundle } from "../../infra/deploy/bundle.ts";

const OBJECTS = Number(process.env.OBJECTS ?? 300);
const BYTES = 1_400_000;
/** The version of the list; what the stream tells is newer. */
const LISTED = 1_000;
/** What the chart gives the watcher, and the heap that Node makes of it. */
const LIMIT_MEBIBYTES = 256;
const NODE_OPTIONS = "--max-semi-space-size=2 --max-old-space-size=128";

test(`the watcher stays within its memory, whatever ${OBJECTS} objects of ${BYTES} bytes hold`, {
  // The memory of a process is read from /proc, which only Linux has.
  skip: process.platform !== "linux",
  timeout: 900_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-large-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const here = (name: string): string => join(import.meta.dirname, name);
  const start = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, words, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    });
    t.onTestFinished(async () => {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
    });
    return child;
  };

  const server = start([here("large-objects-server.ts"), String(OBJECTS), String(BYTES)]);
  const [address] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  const kubeconfig = join(folder, "kubeconfig");
  const here_ = { name: "here" };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "here",
      contexts: [{ ...here_, context: { cluster: "here", user: "here" } }],
      clusters: [{ ...here_, cluster: { server: address } }],
      users: [{ ...here_, user: {} }],
    }),
  );
  const { file } = await bundle(here("watcher-child.ts"), join(folder, "watcher.mjs"));
  const watcher = start([file, join(folder, "ledger.db")], {
    KUBECONFIG: kubeconfig,
    NODE_OPTIONS,
    MALLOC_ARENA_MAX: "1",
  });
  const ended = once(watcher, "exit").then(([code, signal]) => assert.fail(`it ended: ${code ?? signal}`));
  const told = new Map<string, number>();
  const all = (async () => {
    for await (const line of createInterface({ input: watcher.stdout })) {
      const data = JSON.parse(line.slice(line.indexOf(" "))) as {
        readonly ref: { readonly name: string };
        readonly resourceVersion: string;
      };
      told.set(data.ref.name, Number(data.resourceVersion));
      if (told.size === OBJECTS && [...told.values()].every((version) => version > LISTED)) return;
    }
  })();
  await Promise.race([all, ended]);
  assert.equal(told.size, OBJECTS);
  const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${watcher.pid}/status`, "utf8"))?.[1]);
  assert.ok(peak <= LIMIT_MEBIBYTES * 1024, `${(peak / 1024).toFixed(0)} MiB at its peak`);
  t.annotate(`${(peak / 1024).toFixed(0)} MiB at its peak`);
});
