import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { ANNOTATIONS, LABELS } from "../../kinds/index.ts";
import type { Description } from "../../ports/components/index.ts";
import { stopped } from "../conditions/index.ts";
import { decided, NOW, type Tree, type World } from "./test-pass.ts";

const UNMANAGED = { [ANNOTATIONS.isUnmanaged]: "true" };
const failing: Description = { state: "failed", message: "The registry does not answer." };
const SECTIONS: Readonly<
  Record<string, readonly (World & { title: string; writes: readonly string[]; says: string })[]>
> = {
  "what is wanted": [
    { title: "is installed", version: "1.0.0", writes: ["apply Manifest 1.0.0"], says: "Processing" },
    {
      title: "is upgraded",
      version: "1.1.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: { [ANNOTATIONS.syncedArtifact]: "sha256:1.0.0" } } },
      writes: ["apply Manifest 1.1.0"],
      says: "Processing",
    },
    {
      title: "is as it is to be",
      version: "1.0.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: { [ANNOTATIONS.syncedArtifact]: "sha256:1.0.0" } } },
      writes: ["apply Manifest 1.0.0"],
      says: "Ready",
    },
    { title: "stays without a release", installed: "1.0.0", writes: [], says: "Warning" },
    {
      title: "stays where the release lacks the channel",
      version: "1.0.0",
      modules: [{ name: "alpha", channel: "fast" }],
      installed: "1.0.0",
      writes: [],
      says: "Error",
    },
    {
      title: "stays without a template",
      version: "1.1.0",
      template: null,
      installed: "1.0.0",
      writes: [],
      says: "Error",
    },
    {
      title: "stays where what is wanted is older",
      version: "1.0.0",
      installed: "1.1.0",
      writes: [],
      says: "Warning",
    },
    {
      title: "is withdrawn where the Kyma may not see it",
      version: "1.0.0",
      template: { metadata: { labels: { [LABELS.beta]: "true" } } },
      installed: "1.0.0",
      writes: ["remove Manifest"],
      says: "Error",
    },
    {
      title: "is withdrawn where it is for selected Kymas",
      version: "1.0.0",
      release: { kymaSelector: { matchLabels: { team: "a" } } },
      installed: "1.0.0",
      writes: ["remove Manifest"],
      says: "Error",
    },
    {
      title: "is told where the server refuses it",
      version: "1.0.0",
      failed: true,
      writes: ["apply Manifest 1.0.0"],
      says: "Error",
    },
    {
      title: "is mended while its removal is blocked",
      version: "1.1.0",
      modules: [],
      installed: "1.0.0",
      manifest: { metadata: { deletionTimestamp: NOW } } as never,
      writes: ["apply Manifest 1.1.0"],
      says: "Deleting",
    },
  ],
  // Its Manifest is found by its labels: the status lists nothing.
  "what is wanted no more": [
    {
      title: "goes",
      modules: [],
      version: "1.0.0",
      installed: "1.0.0",
      writes: ["remove Manifest"],
      says: "Deleting",
    },
    {
      title: "goes without a release",
      modules: [],
      installed: "1.0.0",
      writes: ["remove Manifest"],
      says: "Deleting",
    },
    {
      title: "goes without a template",
      modules: [],
      version: "1.0.0",
      template: null,
      installed: "1.0.0",
      writes: ["remove Manifest"],
      says: "Deleting",
    },
    {
      title: "goes while the registry fails",
      modules: [],
      version: "1.0.0",
      component: failing,
      installed: "1.0.0",
      writes: ["remove Manifest"],
      says: "Deleting",
    },
  ],
  "a registry": [
    {
      title: "that fails leaves what is installed, and is told of",
      version: "1.0.0",
      installed: "1.0.0",
      component: failing,
      writes: [],
      says: "Error",
    },
    {
      title: "that fails keeps a new version away",
      version: "1.1.0",
      installed: "1.0.0",
      component: failing,
      writes: [],
      says: "Error",
    },
    {
      title: "that names another component than the one that is installed changes nothing",
      version: "1.1.0",
      installed: "1.1.0",
      release: { ocmComponentName: "acme.com/other/alpha" },
      component: {
        state: "described",
        component: {
          name: "acme.com/other/alpha",
          version: "1.1.0",
          source: { type: "oci-ref", repo: "r", name: "other", ref: "sha256:1" },
          localizedImages: [],
        },
      },
      writes: [],
      says: "Error",
    },
  ],
  "a module that is left to its user": [
    {
      title: "is handed over",
      modules: [{ name: "alpha", managed: false }],
      version: "1.0.0",
      installed: "1.0.0",
      writes: ["patch Manifest is-unmanaged=true"],
      says: "Processing",
    },
    {
      title: "is waited for until its Manifest has gone",
      modules: [{ name: "alpha", managed: false }],
      version: "1.1.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: UNMANAGED } },
      writes: [],
      says: "Processing",
    },
    {
      title: "is nobody's without a Manifest",
      modules: [{ name: "alpha", managed: false }],
      version: "1.0.0",
      writes: [],
      says: "Unmanaged",
    },
    {
      title: "is taken back",
      version: "1.0.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: UNMANAGED } },
      writes: ["patch Manifest is-unmanaged=null"],
      says: "Ready",
    },
    {
      title: "is not removed where it is taken out of the list meanwhile",
      modules: [],
      version: "1.0.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: UNMANAGED } },
      writes: [],
      says: "Deleting",
    },
  ],
  "a policy": [
    {
      title: "that denies a module notes since when",
      version: "1.0.0",
      installed: "1.0.0",
      policy: { deny: ["alpha"] },
      writes: [`patch Manifest denied-since=${NOW}`],
      says: "Warning",
    },
    {
      title: "that denies a module gives it a grace",
      version: "1.0.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: { [ANNOTATIONS.deniedSince]: "2026-02-03T09:56:00.000Z" } } },
      policy: { deny: ["alpha"] },
      writes: [],
      says: "Warning",
    },
    {
      title: "that denies a module removes it after the grace",
      version: "1.0.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: { [ANNOTATIONS.deniedSince]: "2026-02-03T09:54:59.000Z" } } },
      policy: { deny: ["alpha"] },
      writes: ["remove Manifest"],
      says: "Warning",
    },
    {
      title: "that denies it no more leaves it as it was",
      version: "1.0.0",
      installed: "1.0.0",
      manifest: { metadata: { annotations: { [ANNOTATIONS.deniedSince]: "2026-02-03T09:54:59.000Z" } } },
      writes: ["patch Manifest denied-since=null"],
      says: "Ready",
    },
    {
      title: "that enforces a module brings it",
      modules: [],
      version: "1.0.0",
      policy: { enforce: [{ module: "alpha" }] },
      writes: ["apply Manifest 1.0.0"],
      says: "Processing",
    },
    {
      title: "that enforces a version brings it, although users may name none",
      version: "1.1.0",
      policy: { enforce: [{ module: "alpha", version: "1.0.0" }] },
      writes: ["apply Manifest 1.0.0"],
      says: "Processing",
    },
  ],
};

describe("a module of a Kyma", () => {
  for (const [section, rows] of Object.entries(SECTIONS))
    describe(section, () => {
      for (const { title, writes, says, ...world } of rows)
        test(title, async () => {
          const { effects, module } = await decided(world);
          assert.deepEqual([effects, module?.state], [writes, says], module?.message);
        });
    });
});

describe("a module that stays as it is installed", () => {
  test("tells why its component cannot be looked at", async () => {
    const { module } = await decided({ version: "1.0.0", installed: "1.0.0", component: failing });
    assert.deepEqual([module?.version, module?.message], ["1.0.0", failing.message]);
  });
  for (const [title, world] of Object.entries<World>({
    "without a release": {},
    "without the channel": { version: "1.1.0", modules: [{ name: "alpha", channel: "fast" }] },
    "above what is wanted": { version: "0.9.0" },
    "while the registry fails": { version: "1.1.0", component: failing },
    "while it is left to its user": { version: "1.1.0", modules: [{ name: "alpha", managed: false }] },
    "for a grace, where a policy denies it": { version: "1.1.0", policy: { deny: ["alpha"] } },
    "until it is gone": { version: "1.1.0", modules: [] },
  }))
    test(`names the template of its version: ${title}`, async () => {
      const { module } = await decided({ installed: "1.0.0", ...world });
      assert.deepEqual([module?.version, module?.template?.metadata?.name], ["1.0.0", "alpha-1.0.0"]);
    });
  test("names none that the catalog has lost", async () => {
    const { module } = await decided({ installed: "1.0.0", version: "1.1.0", template: null });
    assert.deepEqual([module?.version, module?.template], ["1.0.0", undefined]);
  });
});

describe("the word of a user in the runtime", () => {
  const RUNTIMES = { target: "secret" };
  const spoken = (...modules: readonly Tree[]) => JSON.stringify({ channel: "regular", modules });
  test("is kept before anything is done by it", async () => {
    const { effects, ending } = await decided({
      configured: RUNTIMES,
      version: "1.0.0",
      annotations: { [ANNOTATIONS.userSpec]: spoken({ name: "alpha" }) },
    });
    const [kept = "", ...then] = effects;
    assert.match(kept, /^patch Kyma accepted-spec=.*"alpha"/);
    assert.deepEqual(then, ["apply Manifest 1.0.0"]);
    assert.equal(ending.status?.state, "Processing");
  });
  test("that the server will not keep fails the run in its words", async () => {
    const annotations = { [ANNOTATIONS.userSpec]: spoken({ name: "alpha" }) };
    await assert.rejects(
      decided({ configured: RUNTIMES, version: "1.0.0", failed: true, annotations }),
      /The server refused it\./,
    );
  });
  test("goes before the control plane's", async () => {
    const word = JSON.stringify({
      channel: "regular",
      modules: [{ name: "alpha", customResourcePolicy: "CreateAndDelete", managed: true }],
    });
    const { effects } = await decided({
      configured: RUNTIMES,
      modules: [{ name: "beta" }],
      version: "1.0.0",
      annotations: { [ANNOTATIONS.userSpec]: word, [ANNOTATIONS.acceptedSpec]: word },
    });
    assert.deepEqual(effects, ["apply Manifest 1.0.0"]);
  });
  test("that nobody can read takes nothing away", async () => {
    const word = spoken({ name: "alpha", customResourcePolicy: "CreateAndDelete", managed: true });
    const { effects } = await decided({
      configured: RUNTIMES,
      modules: [],
      version: "1.0.0",
      installed: "1.0.0",
      annotations: { [ANNOTATIONS.userSpec]: "{", [ANNOTATIONS.acceptedSpec]: word },
    });
    assert.deepEqual(effects, ["apply Manifest 1.0.0"]);
  });
  test("that is wrong in a part is a Warning on that part", async () => {
    const word = spoken({ name: "alpha", customResourcePolicy: "CreateAndDelete", managed: true });
    const { module, ending } = await decided({
      configured: RUNTIMES,
      version: "1.0.0",
      installed: "1.0.0",
      annotations: {
        [ANNOTATIONS.userSpec]: spoken({ name: "alpha", channel: "none" }),
        [ANNOTATIONS.acceptedSpec]: word,
      },
    });
    assert.deepEqual([module?.state, ending.status?.state], ["Warning", "Warning"]);
    assert.match(module?.message ?? "", /modules\[alpha\]\.channel: "none" is no channel/);
  });
});

test("a module that goes says what its Manifest says of that, and nothing from before", async () => {
  const saying = async (state: string, operation: string) => {
    const status = { state, lastOperation: { operation, lastUpdateTime: NOW } };
    return (await decided({ modules: [], installed: "1.0.0", manifest: { status } })).module?.message;
  };
  assert.equal(await saying("Ready", "the module is installed"), undefined);
  assert.equal(await saying("Deleting", "waits for 2 objects to be gone"), "waits for 2 objects to be gone");
});

test("a module without a name is told of as such", async () => {
  const { ending } = await decided({ modules: [{ name: "" }] });
  const [module] = ending.status?.modules ?? [];
  assert.match(module?.message ?? "", /has no name: give it one/);
  assert.equal(ending.status?.lastOperation?.operation, "a module without a name is Warning.");
  const said = ending.status?.conditions?.find(({ type }) => type === "Modules");
  assert.equal(said?.message, "Not ready: a module without a name.");
});

test("what is missing is waited for by its name, and a registry is asked again", async () => {
  const { ending } = await decided({});
  assert.deepEqual(
    ending.waitingFor.map((wait) => wait.object?.name),
    ["alpha"],
  );
  for (const [component, at] of [
    [failing, "2026-02-03T10:00:30.000Z"],
    [{ ...failing, notBefore: "2026-02-03T10:20:00.000Z" }, "2026-02-03T10:20:00.000Z"],
    // It is published after its catalog, or mended: nobody tells of that.
    [{ state: "absent", message: "It is not there." }, "2026-02-03T10:05:00.000Z"],
    [{ state: "faulty", message: "It is none." }, "2026-02-03T10:05:00.000Z"],
  ] satisfies readonly (readonly [Description, string])[]) {
    const { ending: failedEnding } = await decided({ version: "1.1.0", installed: "1.0.0", component });
    assert.deepEqual(failedEnding?.wakeAt, { component: at });
  }
});

describe("the state of a Kyma whose modules are ready", () => {
  const watcher = { address: "events.example.org", image: "watcher:1" };
  const STOPPED = stopped("container server of Pod p waits with CrashLoopBackOff");
  const OTHERS = { Reachable: "True", CRDsSync: "True", ModuleCatalog: "True" } as const;
  test.each([
    ["is Ready where nothing watches yet", { watcher }, {}, "Ready"],
    ["is Ready where the watcher runs", { watcher }, { SKRWebhook: "True" }, "Ready"],
    ["is Processing where the watcher does not run", { watcher }, { SKRWebhook: "False" }, "Processing"],
    ["is Error where the watcher cannot start", { watcher }, { SKRWebhook: STOPPED }, "Error"],
    [
      "tells why the watcher cannot start, also where more is missing",
      { watcher },
      { ModuleCatalog: "False", SKRWebhook: STOPPED },
      "Error",
    ],
    [
      "is Processing where another condition has such words",
      { watcher },
      { ModuleCatalog: STOPPED, SKRWebhook: "True" },
      "Processing",
    ],
    ["is Ready where none is configured any more", {}, { SKRWebhook: "False" }, "Ready"],
    ["is Ready where one that cannot start is configured no more", {}, { SKRWebhook: STOPPED }, "Ready"],
    ["is Processing before the Secret for images is there", { imagePullSecret: "pull" }, {}, "Processing"],
    [
      "is Ready once the Secret for images is there",
      { imagePullSecret: "pull" },
      { SKRImagePullSecretSync: "True" },
      "Ready",
    ],
  ] as const)("%s", async (_, configured, conditions, expected) => {
    const { ending } = await decided({ modules: [], configured, conditions: { ...OTHERS, ...conditions } });
    assert.equal(ending.status?.state, expected);
    const said = ending.status?.lastOperation?.operation ?? "";
    if ("SKRWebhook" in conditions && conditions.SKRWebhook === "False" && expected === "Processing")
      assert.equal(said, "SKRWebhook lacks something.");
    if (expected === "Error") assert.equal(said, STOPPED.message);
  });

  test("says each thing in a sentence of its own, also what a cluster said without a stop", async () => {
    const message = "there is no Secret";
    const { ending } = await decided({
      configured: { target: "secret" },
      modules: [{ name: "nosuch" }],
      conditions: { ...OTHERS, Reachable: { message } },
    });
    assert.match(ending.status?.lastOperation?.operation ?? "", /^there is no Secret\. \S+ is \S+\.$/);
  });
});
