import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "vitest";
import { bundle } from "../../infra/deploy/bundle.ts";

/** What the chart gives a worker, and the heap that Node makes of it. */
const LIMIT_MEBIBYTES = 256;
const NODE_OPTIONS = "--max-semi-space-size=2 --max-old-space-size=128";

for (const [count, bytes, ending] of [
  [300, 1_400_000, "failed READ_TOO_LARGE"],
  [150, 10_000, "finished "],
] as const)
  test(`a worker stays within its memory where a run reads ${count} objects of ${bytes} bytes: ${ending}`, {
    // The memory of a process is read from /proc, which only Linux has.
    skip: process.platform !== "linux",
    timeout: 300_000,
  }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "reveille-lists-"));
    t.onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
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
    const server = start([
      join(import.meta.dirname, "../watcher/large-objects-server.ts"),
      String(count),
      String(bytes),
    ]);
    const [address] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
    const KUBECONFIG = join(folder, "kubeconfig");
    writeFileSync(
      KUBECONFIG,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "here",
        contexts: [{ name: "here", context: { cluster: "here", user: "here" } }],
        clusters: [{ name: "here", cluster: { server: address } }],
        users: [{ name: "here", user: {} }],
      }),
    );
    const { file } = await bundle(
      join(import.meta.dirname, "large-lists-child.ts"),
      join(folder, "worker.mjs"),
    );
    const worker = start([file], { KUBECONFIG, NODE_OPTIONS, MALLOC_ARENA_MAX: "1" });
    const ended = once(worker, "exit").then(([code, signal]) => assert.fail(`it ended: ${code ?? signal}`));
    const [line] = (await Promise.race([once(createInterface({ input: worker.stdout }), "line"), ended])) as [
      string,
    ];
    const peak = Number(line.split(" ").at(-1)) / 1024;
    t.annotate(`${peak.toFixed(0)} MiB at its peak`);
    assert.equal(line.slice(0, line.lastIndexOf(" ")), ending);
    assert.ok(peak <= LIMIT_MEBIBYTES, `${peak.toFixed(0)} MiB at its peak`);
  });
