import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Ended, startReveille, temporaryFolder } from "../../../infra/testing/command-line.ts";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { installKinds } from "../../../infra/testing/stack.ts";
import { follow } from "../../../infra/testing/system-parts.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { defineSystem, each } from "../../../shared/function/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Lease } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { boardOf } from "../decide/board/index.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import type { Want } from "../status/index.ts";
import { readHeartbeats, readOperators, readVersion, requireVersion } from "./read.ts";
import { historyText, statusText } from "./status-text.ts";
import { operatorUpdates } from "./update-state.ts";
import { type Lack, lacking, type Wish, waitUntil } from "./wait.ts";

const NOW = Date.parse("2026-02-03T09:20:00Z");
const conditions = (said: Readonly<Record<string, string>>) =>
  Object.entries(said).map(([type, status]) => ({
    type,
    status,
    lastTransitionTime: "2026-02-03T09:10:00Z",
  }));
const healthy = { Available: "True", Progressing: "False", Degraded: "False" };

const operator = (
  name: string,
  version: string,
  said: Readonly<Record<string, string>> = {},
): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name },
  spec: {},
  status: { conditions: conditions({ ...healthy, ...said }), versions: [{ name: "operator", version }] },
});
const version = (generation: number, said: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterVersion",
  metadata: { name: "version", generation },
  spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11" },
  status: {
    observedGeneration: 7,
    desired: { version: "5.2.0", image: "i/b" },
    versionHash: "x",
    availableUpdates: [{ version: "5.2.1", image: "i/c" }],
    conditions: conditions(said),
    history: [
      {
        state: "Completed",
        version: "5.2.0",
        image: "i/b",
        startedTime: "2026-02-03T09:00:00Z",
        completionTime: "2026-02-03T09:10:00Z",
        verified: false,
        acceptedRisks: "it was not verified",
      },
    ],
  },
});

const settled = { Available: "True", Progressing: "False", Failing: "False" };
const done: Want = { done: true };

describe("lacking", () => {
  const ofVersion = (wants: readonly Want[]): readonly Wish[] => [
    { kind: "ClusterVersion", name: "version", wants },
  ];
  const stale: Want = { condition: "Progressing", status: "False" };

  it("scenario 7: conditions of an older generation are not met, however they stand", () => {
    const lacks = lacking(ofVersion([stale]), () => version(8, settled));
    assert.deepEqual(lacks, [
      {
        name: "the cluster version",
        missing: ["Progressing is about generation 7, and the spec is at 8"],
      },
    ]);
    assert.deepEqual(
      lacking(ofVersion([stale]), () => version(7, settled)),
      [],
    );
  });

  it("takes the newest completed release for the version, and asks for all at once", () => {
    const wants: readonly Want[] = [done, { version: "5.2.0" }];
    assert.deepEqual(
      lacking(ofVersion(wants), () => version(7, settled)),
      [],
    );
    const [lack] = lacking(ofVersion([done, { version: "5.3.0" }]), () =>
      version(7, { ...settled, Failing: "True" }),
    );
    assert.deepEqual(lack?.missing, [
      "not done: Available=True, Progressing=False, Failing=True",
      "operator is at 5.2.0, not at 5.3.0",
    ]);
  });

  it("names the operators that are not there yet", () => {
    const wishes = ["etcd", "dns"].map((name): Wish => ({ kind: "ClusterOperator", name, wants: [done] }));
    const lacks = lacking(wishes, ({ name }) =>
      name === "etcd" ? operator("etcd", "5.2.0", { Degraded: "True" }) : undefined,
    );
    assert.deepEqual(
      lacks.map(({ name }) => name),
      ["etcd", "dns"],
    );
    assert.deepEqual(lacks[1]?.missing, ["it does not exist"]);
  });
});

describe("the status board as text", () => {
  const found = parseObject(ClusterVersion, version(8, settled));
  const operators = ["etcd", "dns"].map((name) => parseObject(ClusterOperator, operator(name, "5.2.0")));

  it("shows the request, the conditions and each operator, and doubts one that is silent", () => {
    const silent = new Map([["dns", "2026-02-03T09:00:00Z"]]);
    const text = statusText({ clusterVersion: found, operators: boardOf(operators, silent) }, NOW);
    assert.equal(
      text,
      `Desired: 5.2.0 (i/b)
The request of this moment has not been looked at yet.
Updates: 5.2.1

CONDITION     STATUS   SINCE   REASON   MESSAGE
Available     True     10m
Progressing   False    10m
Failing       False    10m

NAME   VERSION   AVAILABLE   PROGRESSING   DEGRADED   SINCE   MESSAGE
dns    5.2.0     True        False         False      10m     not heard of for 20m: this may no longer hold
etcd   5.2.0     True        False         False      10m`,
    );
  });

  it("marks the operators that hold an update up, tells how long the others took, and names risks and channels", () => {
    const moving = version(7, { ...settled, Progressing: "True" });
    const { history, desired, ...rest } = moving.status as {
      readonly history: readonly object[];
      readonly desired: object;
    };
    const update = parseObject(ClusterVersion, {
      ...moving,
      spec: { ...(moving.spec as object), channel: "steady-5.2" },
      status: {
        ...rest,
        desired: { ...desired, version: "5.3.0", image: "i/d", channels: ["fast-5.2", "steady-5.2"] },
        conditionalUpdates: [
          {
            release: { version: "5.4.0", image: "i/e" },
            risks: [
              {
                name: "Leaks",
                url: "https://r.example",
                message: "It leaks.",
                matchingRules: [{ type: "Always" }],
              },
            ],
            conditions: [
              {
                type: "Recommended",
                status: "False",
                reason: "Leaks",
                message: "It leaks. https://r.example",
                lastTransitionTime: "2026-02-03T09:00:00Z",
              },
            ],
          },
        ],
        history: [
          { ...history[0], state: "Partial", version: "5.3.0", image: "i/d", completionTime: null },
          ...history,
        ],
      },
    });
    const board = [
      ["etcd", "5.3.0"],
      ["api", "5.3.0"],
      ["dns", "5.2.0"],
      ["web", "5.2.0"],
      ["other", "0.1"],
    ].map(([name = "", at = ""]) => parseObject(ClusterOperator, operator(name, at)));
    const updates = operatorUpdates(update, board, {
      waiting: { dns: "2026-02-03T09:08:00Z" },
      passed: { etcd: { since: "2026-02-03T09:01:00Z", until: "2026-02-03T09:05:00Z" } },
    });
    const operators = boardOf(board).map((line) => {
      const found = updates.get(line.name);
      return found === undefined ? line : { ...line, update: found };
    });
    const text = statusText({ clusterVersion: update, operators }, NOW);
    assert.match(text, /^Channel: steady-5\.2 \(available channels: fast-5\.2, steady-5\.2\)$/m);
    assert.match(text, /^Not recommended: 5\.4\.0: risk Leaks: It leaks\. https:\/\/r\.example$/m);
    assert.match(text, /^dns +5\.2\.0 .* HOLDS IT UP, 12m$/m);
    assert.match(text, /^etcd +5\.3\.0 .* done, took 4m$/m);
    assert.match(text, /^api +5\.3\.0 .* done$/m);
    assert.match(text, /^web +5\.2\.0 .* pending$/m);
    assert.match(text, /^other +0\.1 .* 10m$/m);
  });

  it("shows the history with the risks that were taken", () => {
    assert.equal(
      historyText(found),
      `STATE       VERSION   STARTED                COMPLETED              VERIFIED   IMAGE
Completed   5.2.0     2026-02-03T09:00:00Z   2026-02-03T09:10:00Z   false      i/b

5.2.0 of 2026-02-03T09:00:00Z was taken although: it was not verified`,
    );
  });
});

describe("cluster-version on an API server", () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers: false });
  });
  afterAll(() => api.stop());

  it("says what to do where the cluster knows no such kind", async () => {
    await assert.rejects(() => readVersion(api.client), { code: "CLI_NO_CLUSTER_VERSION" });
  });

  it("waits until all of it holds at the same moment, and tells what is missing meanwhile", async (t) => {
    const declared = [ClusterOperator, ClusterVersion].map((kind) =>
      each(kind, { status: [] }).function({ name: kind.kind.toLowerCase(), reconcile: () => ({}) }),
    );
    await installKinds(api.client, [defineSystem({ name: "board", functions: declared })]);
    await assert.rejects(() => requireVersion(api.client), { code: "CLI_NO_CLUSTER_VERSION" });
    const board = resourceOf(ClusterOperator);
    const write = async (object: KubeObject): Promise<void> => {
      const { name } = object.metadata;
      const live =
        (await api.client.get(board, { name })) ??
        (await api.client.create(board, object, { fieldManager: "test" }));
      await api.client.replace(board, { name }, { ...live, status: object.status } as KubeObject, {
        fieldManager: "test",
        subresource: "status",
      });
    };
    await write(operator("etcd", "5.2.0"));
    await write(operator("dns", "5.1.9"));
    const wants: readonly Want[] = [done, { version: "5.2.0" }];
    const wishes = ["etcd", "dns"].map((name): Wish => ({ kind: "ClusterOperator", name, wants }));
    const told: (readonly Lack[])[] = [];
    let heard: () => void = () => undefined;
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        heard = resolve;
      });
    const first = next();
    const client = api.newClient();
    t.onTestFinished(() => client.close());
    const waited = waitUntil(client, wishes, {
      follow,
      limitMilliseconds: 120_000,
      told: (lacks) => {
        told.push(lacks);
        heard();
      },
    });
    await first;
    assert.deepEqual(told[0], [{ name: "dns", missing: ["operator is at 5.1.9, not at 5.2.0"] }]);
    const second = next();
    await write(operator("dns", "5.2.0", { Progressing: "True" }));
    await second;
    const third = next();
    // dns arrives while etcd falls back: never were both there.
    await write(operator("etcd", "5.2.0", { Degraded: "True" }));
    await third;
    await write(operator("dns", "5.2.0"));
    await write(operator("etcd", "5.2.0"));
    assert.equal(await waited, true);
    assert.equal((await readOperators(api.client)).length, 2);
    assert.deepEqual(await readHeartbeats(api.client, await readOperators(api.client)), []);
    const lease = { namespace: "default", name: "etcd-operator" };
    const spec = { renewTime: "2026-02-03T09:00:00.000000Z" };
    const made = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: lease, spec };
    await api.client.create(resourceOf(Lease), made, { fieldManager: "test" });
    const beating = operator("etcd", "5.2.0");
    const relatedObjects = [{ group: "coordination.k8s.io", resource: "leases", ...lease }];
    await write({ ...beating, status: { ...(beating.status as object), relatedObjects } });
    const [heart] = await readHeartbeats(api.client, await readOperators(api.client));
    assert.equal(heart?.spec?.renewTime, spec.renewTime);
    const never: Wish = { kind: "ClusterOperator", name: "storage", wants };
    assert.equal(
      await waitUntil(client, [never], { follow, limitMilliseconds: 50, told: () => undefined }),
      false,
    );
  });

  it("refuses a want that is none", async () => {
    const ended = await reveilleHere(["cluster-version", "wait", "--for", "=True"]);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /--for =True: say done/);
  });
});

describe("cluster-version beside dev", () => {
  it("tells of the samples: board, history and plan, and waits for them", async (t) => {
    const folder = temporaryFolder(t);
    const data = ["--data", folder];
    const running = startReveille(t, ["dev", ...data, "--systems", "cluster-version"]);
    await running.says("Applied the samples of cluster-version");
    const of = (...words: readonly string[]): Promise<Ended> =>
      reveilleHere(["cluster-version", ...words, ...data]);
    const waited = await of("wait", "--for", "done", "--for", "version=1.0.0", "--timeout", "5m");
    assert.equal(waited.code, 0, waited.stderr);
    const board = await of("status", "-o", "json");
    const history = await of("history", "-o", "json");
    const plan = await of("plan");
    const never = await of("wait", "dns", "--for", "Degraded", "--timeout", "10ms");
    const { operators } = JSON.parse(board.stdout) as {
      readonly operators: readonly { readonly version: string }[];
    };
    assert.deepEqual(
      operators.map((one) => one.version),
      Array.from({ length: 13 }, () => "1.0.0"),
    );
    assert.equal(
      (JSON.parse(history.stdout) as readonly { readonly state: string }[])[0]?.state,
      "Completed",
    );
    assert.match(
      plan.stdout,
      /^1\.0\.0 \(demo\.example\/release:1\.0\.0\), applied, kept as it is: 43 of 43 done/,
    );
    assert.equal(never.code, 1);
    assert.match(never.stderr, /dns: Degraded is False, not True/);

    const image = "demo.example/release:1.1.0";
    const explicit = ["update", "--to-image", image, "--allow-explicit-upgrade"] as const;
    const unknown = await of("update", "--to", "9.9.9");
    const unnamed = await of("update", "--to-image", image);
    const several = await of("update", "--to", "1.1.0", "--clear");
    const dry = await of(...explicit, "--dry-run");
    assert.deepEqual([unknown.code, unnamed.code, several.code, dry.code], [1, 1, 2, 0]);
    assert.match(unknown.stderr, /9\.9\.9 is none of the updates that are offered \(there are none\)/);
    assert.match(unnamed.stderr, /--allow-explicit-upgrade/);
    assert.deepEqual(JSON.parse(dry.stdout), {
      spec: { desiredUpdate: { version: null, image, force: null, architecture: null, mode: null } },
    });
    const channel = await of("channel", "fast-1", "--allow-explicit-channel");
    assert.equal(channel.code, 0, channel.stderr);
    const asked = await of(...explicit);
    assert.equal(asked.stdout, `Asked for ${image}.\n`, asked.stderr);
    const { clusterVersion } = JSON.parse((await of("status", "-o", "json")).stdout) as {
      readonly clusterVersion: {
        readonly spec: { readonly channel: string; readonly desiredUpdate: object };
      };
    };
    assert.deepEqual([clusterVersion.spec.channel, clusterVersion.spec.desiredUpdate], ["fast-1", { image }]);
  });
});
