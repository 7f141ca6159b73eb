import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { Instance } from "../index.ts";
import type { Task } from "../kinds/index.ts";
import { DATABASE, dummy, plan } from "./operators.ts";
import { SHOP, type Stage } from "./stage.ts";

const VERSION = { operatorVersion: { name: "pgmini-14.2-0.3.0" } };
/** The plans end as the task `last` does, and `scale` waits for it. */
const define = (s: Stage, last: Task["spec"]): Promise<void> =>
  s.version(VERSION.operatorVersion.name, {
    ...DATABASE,
    tasks: [...(DATABASE.tasks ?? []), dummy("last", last)],
    plans: {
      ...DATABASE.plans,
      scale: plan("nodes: config nodes", "last: last"),
      backup: plan("last: last"),
    },
  });
const ENDS = { done: true };
const WAITS = { done: false };
const FAILS = { wantErr: true, fatal: true };

/** Runs `reveille kudo` with a way to the scenario's cluster. */
async function withCommands(
  s: Stage,
  work: (kudo: (...words: readonly string[]) => ReturnType<typeof reveilleHere>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "kudo-scenarios-"));
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, await kubeconfigOf(s.stack.api.connection), { mode: 0o600 });
    const place = ["--instance", "db", "-n", SHOP, "--kubeconfig", kubeconfig];
    await work((...words) => reveilleHere(["kudo", ...words, ...place]));
  } finally {
    await rm(folder, { recursive: true });
  }
}
const running = (s: Stage, name: string): Promise<void> =>
  s.until(`${name} to run`, async () => (await s.plan(name))?.status === "IN_PROGRESS");
const messageOf = (name: string): string =>
  `Error during execution: fatal error: shop/db failed in ${name}.main.last.last: dummy error`;

/** The command line, which waits for runs. */
export const commands: readonly Scenario<Stage>[] = [
  {
    number: 40,
    name: "who waits hears of the end of exactly the run that was started",
    async run(s) {
      await define(s, ENDS);
      await s.create(VERSION);
      await s.settled();
      await withCommands(s, async (kudo) => {
        const first = await kudo("update", "-p", "SIZE=2", "--wait");
        assert.equal(first.code, 0, first.stderr);
        const scale = await s.plan("scale");
        assert.equal(`${scale?.status} ${scale?.execution}`, "COMPLETE 2");
        // What ended before is no answer: its next run is waited for.
        await define(s, WAITS);
        const second = kudo("update", "-p", "SIZE=3", "--wait");
        await running(s, "scale");
        assert.notEqual((await s.plan("scale"))?.uid, scale?.uid);
        await define(s, ENDS);
        const { code, stderr } = await second;
        assert.equal(code, 0, stderr);
        assert.equal((await s.plan("scale"))?.status, "COMPLETE");
        assert.equal((await s.instance()).status?.lastSucceeded?.parameters?.SIZE, "3");
      });
    },
  },
  {
    number: 40,
    name: "who waits for a run that fails is told why, and waits no longer",
    async run(s) {
      await define(s, WAITS);
      await s.create(VERSION);
      await s.settled();
      await withCommands(s, async (kudo) => {
        const update = kudo("update", "-p", "SIZE=2", "--wait");
        await running(s, "scale");
        await define(s, FAILS);
        const updated = await update;
        assert.equal(updated.code, 1, updated.stderr);
        assert.ok(updated.stderr.includes(messageOf("scale")), updated.stderr);
        await s.settled();
        await define(s, WAITS);
        await s.edit({ planExecution: { planName: "backup", uid: "mine" } });
        await running(s, "backup");
        const status = kudo("plan", "status", "--wait");
        await define(s, FAILS);
        const { code, stderr } = await status;
        assert.equal(code, 1, stderr);
        assert.ok(stderr.includes(messageOf("backup")), stderr);
        await s.settled();
        await define(s, WAITS);
        await s.edit({ planExecution: { planName: "backup", uid: "again" } });
        await running(s, "backup");
        const asData = kudo("plan", "status", "--wait", "-o", "json");
        await define(s, FAILS);
        const told = await asData;
        assert.equal(told.code, 1, told.stderr);
        assert.equal(JSON.parse(told.stdout).planStatus.backup.status, "FATAL_ERROR");
        // It is over: whoever asks now is told how it stands, and need not wait.
        const after = await kudo("plan", "status", "--wait");
        assert.equal(after.code, 0, after.stderr);
        assert.ok(after.stdout.includes("FATAL_ERROR"), after.stdout);
      });
    },
  },
  {
    number: 40,
    name: "who waits for a change that is none is told so, and waits no longer",
    async run(s) {
      await define(s, ENDS);
      await s.create(VERSION);
      await s.settled();
      await withCommands(s, async (kudo) => {
        // The default, then what is written there, and both again with what a run consumed.
        for (const size of ["1", "1", "2", "2"]) {
          const { code, stdout, stderr } = await kudo("update", "-p", `SIZE=${size}`, "--wait");
          assert.equal(code, 0, stderr);
          const { executions } = (await s.instance()).status ?? {};
          assert.equal(executions, size === "1" ? 1 : 2);
          if (size === "1") assert.match(stdout, /Instance db has nothing to do/);
        }
        const { stdout } = await kudo("update", "-p", "SIZE=2", "--wait");
        assert.match(stdout, /Instance db has nothing to do/);
      });
    },
  },
  {
    number: 40,
    name: "who waits for an Instance to go is told where its cleanup fails, and again",
    async run(s) {
      const cleaning = (last: Task["spec"]) =>
        s.version(VERSION.operatorVersion.name, {
          ...DATABASE,
          tasks: [...(DATABASE.tasks ?? []), dummy("last", last)],
          plans: { ...DATABASE.plans, cleanup: plan("last: last") },
        });
      await cleaning(FAILS);
      await s.create(VERSION);
      await s.settled();
      await withCommands(s, async (kudo) => {
        for (const _ of ["first", "second"]) {
          const { code, stderr } = await kudo("uninstall", "--wait");
          assert.equal(code, 1, stderr);
          assert.ok(stderr.includes(messageOf("cleanup")), stderr);
        }
        await s.settled();
        await cleaning(ENDS);
        await s.edit({ planExecution: { planName: "cleanup", uid: "again" } });
        const { code, stderr } = await kudo("uninstall", "--wait");
        // It may be gone before it is looked at.
        assert.ok(code === 0 || stderr.includes("does not exist"), stderr);
        assert.deepEqual(await s.list(Instance, SHOP), []);
      });
    },
  },
];
