import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it, type TestContext } from "vitest";
import * as z from "zod";
import { changed, defineKind, defineSystem, each } from "../../index.ts";
import { type Engine, routingOf, startEngine } from "../../infra/engine/index.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { installKinds } from "../../infra/testing/stack.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { clusterName, type Watcher } from "../../infra/watcher/index.ts";
import { type EmbeddedBus, openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import type { RunRecord } from "../../shared/bus/run-record.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { System } from "../../shared/function/system.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { silent } from "../../shared/log/log.ts";

const LIMIT = 60_000;
const NAMES = ["a", "b", "c"];

class Cistern extends defineKind({
  group: "upgrades.example.org",
  version: "v1",
  kind: "Cistern",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int().optional() }),
  facts: (it) => ({ size: it.spec.size }),
}) {}
class Valve extends defineKind({
  group: "upgrades.example.org",
  version: "v1",
  kind: "Valve",
  scope: "Namespaced",
  fields: { spec: z.object({ cistern: z.string() }) },
  status: z.object({}),
  facts: (it) => ({ cistern: it.spec.cistern }),
}) {}

/** What of an installation an upgrade can change. */
interface Edition {
  readonly version: string;
  readonly level: number;
  readonly wakes: "few" | "more";
}
const first: Edition = { version: "1.0.0", level: 1, wakes: "few" };
const upgrades: Readonly<Record<string, Edition>> = {
  configuration: { ...first, level: 2 },
  wakes: { ...first, wakes: "more" },
  version: { ...first, version: "1.1.0" },
};

const config = z.object({ level: z.int() });
const systemOf = ({ wakes }: Edition): System =>
  defineSystem({
    name: "cisterns",
    config,
    functions: [
      each(Cistern).function({
        name: "cisterns",
        config,
        wakes:
          wakes === "few"
            ? []
            : [changed(Valve).toName((valve) => ({ name: valve.cistern, namespace: "default" }))],
        reconcile: (_, context) => ({ status: { level: context.config.level } }),
      }),
    ],
  });

/** An installation of which every process can be exchanged while the others go on. */
class Installation {
  readonly runs: RunRecord[] = [];
  readonly #api: TestApi;
  readonly #cluster: string;
  readonly #persistent: boolean;
  readonly #namespace: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "upgrades-"));
  readonly #pods = new Map<number, { readonly watcher: Watcher; readonly stop: () => Promise<void> }>();
  readonly bus: EmbeddedBus;
  #edition: Edition = first;
  readonly #routing = routingOf([systemOf(first)]);
  #worker: Pick<Engine, "stop"> | undefined;

  constructor(api: TestApi, cluster: string, namespace: string, persistent: boolean) {
    this.#api = api;
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#persistent = persistent;
    this.bus = openEmbeddedBus({
      file: ":memory:",
      route: this.#routing.route,
      clock: systemClock,
      log: silent,
    });
    this.bus.subscribe({ ran: (run) => void this.runs.push(run) });
  }

  /** As `helm upgrade` does: the workers first, then the watchers, the highest number first, each ready before the next. */
  async roll(edition: Edition, replicas: number): Promise<void> {
    await this.#worker?.stop();
    await this.startWorker(edition);
    await this.rollWatchers(edition, replicas);
  }

  /** Beside what runs. */
  async startWorker(edition: Edition): Promise<void> {
    const before = this.#worker;
    const worker = await startEngine({
      ...this.#parts(edition),
      roles: { work: { nets: false } },
      client: this.#api.client,
    });
    this.#worker = {
      stop: async () => {
        await before?.stop();
        await worker.stop();
      },
    };
  }

  async rollWatchers(edition: Edition, replicas: number): Promise<void> {
    this.#edition = edition;
    this.#routing.use([systemOf(edition)]);
    for (let ordinal = replicas - 1; ordinal >= 0; ordinal--) {
      await this.#pods.get(ordinal)?.stop();
      await this.#start(ordinal);
      await eventually("the watcher is ready", () => this.#pods.get(ordinal)?.watcher.ready(), LIMIT);
    }
    await eventually("one leads", () => this.#watchers().some((watcher) => watcher.position().leader), LIMIT);
  }

  #watchers = (): readonly Watcher[] => [...this.#pods.values()].map(({ watcher }) => watcher);

  #parts(edition: Edition) {
    return {
      bus: this.bus,
      routing: routingOf([systemOf(edition)]),
      cluster: this.#cluster,
      configuration: { cisterns: { level: edition.level } },
      code: { version: edition.version },
      log: silent,
    };
  }

  async #start(ordinal: number): Promise<void> {
    const kept = join(this.#folder, `watcher-${ordinal}`);
    if (this.#persistent) mkdirSync(kept, { recursive: true });
    const folder = this.#persistent ? kept : mkdtempSync(join(this.#folder, "empty-"));
    const client = this.#api.newClient();
    const engine = await startEngine({
      ...this.#parts(this.#edition),
      roles: {
        watch: {
          ledger: join(folder, "ledger.db"),
          identity: `watcher-${ordinal}`,
          lease: {
            namespace: this.#namespace,
            name: "upgrades",
            duration: 3000,
            deadline: 2000,
            renew: 100,
            retry: 50,
          },
          timing: { quiet: 100 },
        },
      },
      client,
    });
    this.#pods.set(ordinal, {
      watcher: engine.watcher,
      stop: async () => {
        await engine.stop();
        client.close();
      },
    });
  }

  /** Nothing waits, runs or is going to be published, for a while. */
  async atRest(): Promise<void> {
    let seen = "";
    let looks = 0;
    await eventually(
      "nothing is left to do",
      async () => {
        const counts = Object.values(await this.bus.counts());
        const left = counts.reduce(
          (sum, { waiting, running, retrying }) => sum + waiting + running + retrying,
          0,
        );
        const dirty = this.#watchers().reduce((sum, watcher) => sum + watcher.position().dirty, 0);
        const now = `${this.runs.length}`;
        looks = left + dirty === 0 && now === seen ? looks + 1 : 0;
        seen = now;
        return looks > 20;
      },
      LIMIT,
    );
  }

  async stop(): Promise<void> {
    for (const { stop } of this.#pods.values()) await stop();
    await this.#worker?.stop();
    await this.bus.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Rolling upgrades of watchers and workers: whatever changed and whatever was kept, all keys are looked at once more. */
export function upgradesSuite(kind: "local" | "real", cases: readonly (keyof typeof upgrades)[]): void {
  const skip = kind === "real" && skipWithoutControlPlane();
  describe(`rolling upgrades on the ${kind} API server`, { skip: skip !== false }, () => {
    let api: TestApi;
    let cluster: string;
    beforeAll(async () => {
      api = await startTestApi({ api: kind, controllers: false });
      await installKinds(api.client, [systemOf(upgrades.wakes ?? first)]);
      cluster = await clusterName(api.client, "upgrades");
      for (const name of NAMES)
        await api.client.create(
          resourceOf(Cistern),
          {
            apiVersion: "upgrades.example.org/v1",
            kind: "Cistern",
            metadata: { namespace: "default", name },
            spec: { size: 1 },
          },
          { fieldManager: "test" },
        );
    });
    afterAll(() => api.stop());
    let installations = 0;
    const installed = async (
      t: TestContext,
      replicas: number,
      persistent: boolean,
    ): Promise<Installation> => {
      const namespace = `installation-${installations++}`;
      await api.client.create(
        { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
        { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
        { fieldManager: "test" },
      );
      const installation = new Installation(api, cluster, namespace, persistent);
      t.onTestFinished(() => installation.stop());
      await installation.roll(first, replicas);
      await installation.atRest();
      return installation;
    };
    it("an old worker beside the new ones takes nothing of what was published for them", async (t) => {
      const installation = await installed(t, 1, false);
      installation.runs.length = 0;
      const next = upgrades.configuration ?? first;
      // The watcher is faster than the workers.
      await installation.rollWatchers(next, 1);
      await eventually(
        "the old worker gave it back",
        () => installation.runs.at(-1)?.outcome === "away",
        LIMIT,
      );
      assert.deepEqual(
        installation.runs.filter(({ outcome }) => outcome !== "away"),
        [],
      );
      await installation.startWorker(next);
      await eventually(
        "all are as the new version wants them",
        async () => {
          const { items } = await api.client.list(resourceOf(Cistern), { namespace: "default" });
          return items.every(
            ({ status }) => (status as { level?: number } | undefined)?.level === next.level,
          );
        },
        LIMIT,
      );
      await installation.atRest();
    });
    const looksOf = ({ runs }: Installation): readonly string[] =>
      runs
        .filter(({ outcome }) => outcome !== "swept")
        .map(({ key, lane }) => `${key.split("/").at(-1)} ${lane}`);

    for (const replicas of [1, 2])
      for (const persistent of [true, false]) {
        const where = `${replicas} watcher${replicas > 1 ? "s" : ""}, ledgers ${persistent ? "kept" : "new"}`;
        it(`a first installation looks once (${where})`, async (t) => {
          const installation = await installed(t, replicas, persistent);
          assert.equal(installation.runs.filter(({ outcome }) => outcome === "swept").length, 0);
        });
        it(`a restart with all as it was sweeps nothing (${where})`, async (t) => {
          const installation = await installed(t, replicas, persistent);
          installation.runs.length = 0;
          await installation.roll(first, replicas);
          await installation.atRest();
          assert.equal(installation.runs.filter(({ outcome }) => outcome === "swept").length, 0);
        });
        for (const what of cases)
          it(`another ${what}: each key is looked at, in the slow lane (${where})`, async (t) => {
            const installation = await installed(t, replicas, persistent);
            installation.runs.length = 0;
            await installation.roll(upgrades[what] ?? first, replicas);
            await eventually(
              "a sweep",
              () => installation.runs.some(({ outcome }) => outcome === "swept"),
              LIMIT,
            );
            await installation.atRest();
            const looks = looksOf(installation);
            for (const name of NAMES)
              assert.ok(looks.includes(`${name} sweep`), `${name} in ${looks.join(", ")}`);
            const sweeps = installation.runs.filter(({ outcome }) => outcome === "swept");
            assert.equal(sweeps.length, 1, "once");
          });
      }
  });
}
