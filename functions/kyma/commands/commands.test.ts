import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import {
  ANNOTATIONS,
  Kyma,
  KymaPolicy,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
} from "../kinds/index.ts";
import { commandsStage, type Fields } from "./test-stage.ts";

const stage = commandsStage();
const { there, put, file } = stage;

const modulesOf = async (name: string): Promise<unknown> => {
  const { client, namespace } = stage;
  const kyma = await client.get(resourceOf(Kyma), { name, namespace });
  return (kyma?.spec as { modules?: unknown } | undefined)?.modules;
};

async function release(module: string, channels: Readonly<Record<string, string>>): Promise<void> {
  await put(ModuleReleaseMeta, module, {
    spec: {
      moduleName: module,
      ocmComponentName: `example.org/mods/${module}`,
      channels: Object.entries(channels).map(([channel, version]) => ({ channel, version })),
    },
  });
}
const template = (module: string, version: string, more: Fields = {}): Promise<void> =>
  put(ModuleTemplate, `${module}-${version}`, {
    ...more,
    spec: { moduleName: module, version, descriptor: {}, ...more.spec },
  });

/** Annotations of a Kyma whose user wrote a spec in its runtime. */
const spoken = (spec: object): Readonly<Record<string, string>> => {
  const text = JSON.stringify(spec);
  return { [ANNOTATIONS.userSpec]: text, [ANNOTATIONS.acceptedSpec]: text };
};

describe("module catalog", () => {
  it("lists each channel, and why a Kyma cannot have it", async () => {
    await release("alpha-store", { regular: "1.4.2", fast: "1.5.0" });
    await template("alpha-store", "1.4.2", { spec: { requiresDowntime: true } });
    await release("mesh-core", { regular: "2.0.0" });
    await template("mesh-core", "2.0.0", { labels: { [LABELS.beta]: "true" } });
    await put(Kyma, "rt", { spec: { channel: "regular" } });
    const { code, stdout } = await there("module", "catalog", "--kyma", "rt");
    assert.equal(code, 0);
    assert.match(stdout, /^alpha-store +regular +1\.4\.2 +in a maintenance window$/m);
    assert.match(
      stdout,
      /^alpha-store +fast +1\.5\.0 +at once +there is no ModuleTemplate alpha-store-1\.5\.0$/m,
    );
    assert.match(stdout, /^mesh-core +regular +2\.0\.0 +at once +the Kyma lacks the label .*beta=true$/m);
  });
});

describe("module list", () => {
  it("tells the state of each module and why, those of each cluster too", async () => {
    await put(Kyma, "rt", {
      spec: { channel: "regular", modules: [{ name: "alpha-store" }, { name: "mesh-core", managed: false }] },
      status: {
        state: "Warning",
        modules: [
          {
            name: "alpha-store",
            state: "Warning",
            version: "1.5.0",
            message: "1.5.0 stays: 1.4.2 is older.",
          },
        ],
        conditions: [
          {
            type: "Modules",
            status: "False",
            reason: "Ready",
            message: "alpha-store",
            lastTransitionTime: "2026-01-05T10:00:00Z",
          },
        ],
      },
    });
    const mandatory = { [LABELS.kymaName]: "rt", [LABELS.mandatoryModule]: "true" };
    const spec = { remote: true, version: "1.0.0", install: { name: "raw-manifest", source: {} } };
    await put(Manifest, "rt-audit-1", { labels: { ...mandatory, [LABELS.moduleName]: "audit" }, spec });
    const alone = { [LABELS.moduleName]: "warden", [LABELS.skipReconciliation]: "true" };
    await put(Manifest, "rt-warden-1", { labels: { ...mandatory, ...alone }, spec });
    const { stdout } = await there("module", "list", "--kyma", "rt");
    assert.match(stdout, /^team-\d+\/rt: Warning, channel regular$/m);
    assert.match(stdout, /^alpha-store +regular +1\.5\.0 +Warning +1\.5\.0 stays: 1\.4\.2 is older\.$/m);
    assert.match(stdout, /^mesh-core +regular +not looked at yet +left alone$/m);
    assert.match(stdout, /^audit +\(each cluster\) +1\.0\.0 +not looked at yet$/m);
    assert.match(
      stdout,
      /^warden .*Its Manifest rt-warden-1 is left alone until its label \S+ is taken off\.$/m,
    );
    assert.match(stdout, /^Modules is False: alpha-store$/m);
  });

  it("says which Kyma it looked for", async () => {
    const { code, stderr } = await there("module", "list");
    assert.equal(code, 1);
    assert.match(stderr, /There is no Kyma team-\d+\/default: name another one with --kyma and -n/);
  });
});

describe("wishes", () => {
  it("enable, move, leave alone and remove one module, and touch no other", async () => {
    const other = {
      name: "mesh-core",
      channel: "fast",
      customResourcePolicy: "CreateAndDelete",
      managed: true,
    };
    await put(Kyma, "default", { spec: { channel: "regular", modules: [other] } });
    const mine = { name: "alpha-store", customResourcePolicy: "CreateAndDelete", managed: true };
    for (const [words, stored, said] of [
      [["enable", "alpha-store"], mine, /is to be installed\.$/m],
      [["enable", "alpha-store"], mine, /was already installed\.$/m],
      [["enable", "alpha-store", "--version", "1.4.2"], { ...mine, version: "1.4.2" }, /in version 1\.4\.2/],
      [["enable", "alpha-store", "--channel", "fast"], { ...mine, channel: "fast" }, /from channel fast/],
      [["unmanage", "alpha-store"], { ...mine, channel: "fast", managed: false }, /is to be left alone\./],
      [["manage", "alpha-store"], { ...mine, channel: "fast" }, /is to be looked after\./],
    ] as const) {
      const { code, stdout, stderr } = await there("module", ...words);
      assert.equal(code, 0, stderr);
      assert.match(stdout, said);
      assert.deepEqual(await modulesOf("default"), [other, stored], words.join(" "));
    }
    await there("module", "disable", "alpha-store");
    assert.deepEqual(await modulesOf("default"), [other]);
  });

  it("refuse what cannot be meant, and write nothing", async () => {
    await put(Kyma, "default", { spec: { channel: "regular" } });
    const both = await there("module", "enable", "alpha-store", "--channel", "fast", "--version", "1.0.0");
    assert.equal(both.code, 2);
    const absent = await there("module", "unmanage", "alpha-store");
    assert.match(absent.stderr, /has no module alpha-store: enable it first/);
    assert.equal(await modulesOf("default"), undefined);
  });

  it("say where the catalog has nothing for them", async () => {
    await put(Kyma, "default", { spec: { channel: "regular" } });
    await release("alpha-store", { regular: "1.4.2", fast: "1.5.0" });
    await put(ModuleReleaseMeta, "audit", {
      spec: {
        moduleName: "audit",
        ocmComponentName: "example.org/mods/audit",
        mandatory: { version: "1.0.0" },
      },
    });
    for (const [words, said] of [
      [["alpha-store"], /^$/],
      [["alpha-store", "--channel", "slow"], /alpha-store has no channel slow: .*there is regular, fast/],
      [["alfa-store"], /^warning: The catalog in team-\d+ has no module alfa-store: .*module catalog/m],
      [["audit"], /^warning: Each cluster gets audit/m],
    ] as const) {
      const { code, stdout, stderr } = await there("module", "enable", ...words);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /is to be installed/);
      assert.match(stderr, said);
    }
  });

  it("say what stands in the way of a version, and of a module that is left alone", async () => {
    await put(Kyma, "default", {
      spec: { channel: "slow", modules: [{ name: "mesh-core", managed: false }] },
    });
    for (const module of ["alpha-store", "mesh-core"])
      await release(module, { regular: "1.4.2", slow: "1.0.0" });
    await release("beta-map", { regular: "1.4.2" });
    await template("beta-map", "1.4.2");
    for (const [words, said] of [
      [
        ["alpha-store", "--version", "9.9.9"],
        /^warning: The catalog in team-\d+ shows no version 9\.9\.9 of/,
      ],
      [["beta-map", "--version", "1.4.2"], /^$/],
      [["mesh-core"], /^warning: mesh-core is left alone: .*module manage mesh-core/],
      [["mesh-core", "--channel", "regular"], /^warning: mesh-core is left alone: [^\n]*\n$/],
    ] as const) {
      const { code, stderr } = await there("module", "enable", ...words);
      assert.equal(code, 0, stderr);
      assert.match(stderr, said, words.join(" "));
    }
    const { code, stderr } = await there("module", "enable", "alpha-store", "--channel", "none");
    assert.equal(code, 2);
    assert.match(stderr, /and not "none"/);
  });

  it("are not written where nobody reads them: its user speaks in the runtime", async () => {
    const spec = { channel: "regular" };
    await put(Kyma, "rt", { annotations: { [ANNOTATIONS.userSpec]: JSON.stringify(spec) }, spec });
    for (const wish of ["enable", "disable", "manage", "unmanage"]) {
      const { code, stdout, stderr } = await there("module", wish, "alpha-store", "--kyma", "rt");
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, /its user says in its runtime.*-n kyma-system.*kyma-name=rt.*base64 -d/);
    }
    assert.equal(await modulesOf("rt"), undefined);
  });
});

it("each example of a module's commands names the namespace", async () => {
  const { stdout } = await reveilleHere(["kyma", "--help"]);
  const examples = stdout.split("\n").filter((line) => /^ +reveille kyma module/.test(line));
  assert.ok(examples.length > 1);
  for (const line of examples) assert.match(line, / -n k/);
});

describe("windows", () => {
  it("tells each Kyma's window by a file, and what is doubtful about that", async () => {
    await put(Kyma, "far", { labels: { [LABELS.region]: "eu-north-1" }, spec: { channel: "regular" } });
    await put(Kyma, "near", { spec: { channel: "regular", skipMaintenanceWindows: true } });
    await put(Kyma, "wilful", {
      annotations: spoken({ channel: "regular", skipMaintenanceWindows: true }),
      spec: { channel: "regular" },
    });
    await put(Kyma, "silent", {
      annotations: spoken({ channel: "regular" }),
      spec: { channel: "regular", skipMaintenanceWindows: true },
    });
    const written = await file(
      "windows.json",
      JSON.stringify({
        rules: [
          {
            match: { region: "^eu-" },
            windows: [{ begin: "2999-01-01T00:00:00Z", end: "2999-01-01T04:00:00Z" }],
          },
          { match: { region: "eu\u2502us" }, windows: [] },
        ],
        defaults: {},
      }),
    );
    const { stdout } = await there("windows", "--file", written);
    assert.match(stdout, /far +closed +2999-01-01T00:00:00\.000Z +2999-01-01T04:00:00\.000Z$/m);
    assert.match(stdout, /wilful +waits for none /, "its user said so in the runtime");
    assert.match(stdout, /silent +waits for none /, "its user left it to the control plane");
    assert.match(stdout, /near +waits for none +no rule of the maintenance policy concerns this runtime/m);
    assert.match(stdout, /^Doubtful: defaults: Nobody reads it: what is read here is rules, default\.$/m);
    assert.match(stdout, /^Doubtful: rules\.1\.match\.region: It holds \u2502 \(U\+2502\)/m);
  });

  it("names each mistake of the file", async () => {
    const { code, stderr } = await there(
      "windows",
      "--file",
      await file("wrong.json", `{"default":{"days":["Sonntag"],"begin":"1","end":"2"}}`),
    );
    assert.equal(code, 1);
    assert.match(stderr, /wrong\.json is no maintenance policy/);
    assert.match(stderr, /default\.days\.0: "Sonntag" is no day/);
  });
});

describe("policy check", () => {
  const policy = (name: string, spec: string): string =>
    `apiVersion: reveille.dev/v1alpha1\nkind: KymaPolicy\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

  it("tells of each Kyma what would change, and changes nothing", async () => {
    await put(Kyma, "rt-one", {
      labels: { tier: "gold" },
      spec: { channel: "regular", modules: [{ name: "mesh-core" }, { name: "legacy" }] },
    });
    await put(Kyma, "rt-two", { spec: { channel: "regular", modules: [{ name: "mesh-core" }] } });
    const written = await file(
      "policy.yaml",
      policy(
        "gold",
        "{selector: {matchLabels: {tier: gold}}, enforce: [{module: mesh-core, channel: fast}, {module: audit}], deny: [legacy]}",
      ),
    );
    const { code, stdout, stderr } = await there("policy", "check", written, "--dry-run");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /rt-one\n/);
    assert.match(stdout, /^ {2}mesh-core: channel regular becomes channel fast\.$/m);
    assert.match(stdout, /^ {2}It gets audit/m);
    assert.match(stdout, /^ {2}It loses legacy\.$/m);
    assert.match(stdout, /^ {2}The policy gold denies legacy\.$/m);
    assert.match(stdout, /^1 Kyma stays as it is\.$/m);
    assert.equal(
      await stage.client.get(resourceOf(KymaPolicy), { namespace: stage.namespace, name: "gold" }),
      undefined,
    );
  });

  it("holds the older one of two that contradict each other, and names what was refused before only where it is asked about", async () => {
    const stored = (name: string, spec: object): Promise<void> => put(KymaPolicy, name, { spec });
    await stored("old", { enforce: [{ module: "mesh-core", channel: "fast" }] });
    const refused = await there(
      "policy",
      "check",
      await file("new.yaml", policy("new", "{enforce: [{module: mesh-core, channel: regular}]}")),
    );
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^The policy new would not hold: It enforces mesh-core otherwise/m);
    assert.doesNotMatch(refused.stdout, /The policy old would not hold/);
    await stored("newer", { enforce: [{ module: "mesh-core", channel: "regular" }] });
    const { code, stdout } = await there(
      "policy",
      "check",
      await file("other.yaml", policy("other", "{deny: [legacy]}")),
    );
    assert.equal(code, 0, stdout);
    assert.doesNotMatch(stdout, /would not hold/);
  });

  it("tells of a module that moves with its Kyma's channel, that may go back, and whose version counts now", async () => {
    await put(Kyma, "rt", {
      spec: { channel: "regular", modules: [{ name: "mesh-core" }, { name: "pinned", version: "1.4.2" }] },
    });
    const checked = await there(
      "policy",
      "check",
      await file(
        "moves.yaml",
        policy(
          "moves",
          "{allowChannels: [fast], enforce: [{module: pinned, version: 1.4.2, allowDowngrade: true}]}",
        ),
      ),
    );
    assert.match(checked.stdout, /^ {2}mesh-core: channel regular becomes channel fast\.$/m);
    assert.match(
      checked.stdout,
      /^ {2}pinned: version 1\.4\.2 becomes version 1\.4\.2, enforced, may go back\.$/m,
    );
  });

  it("refuses rules that contradict others, and files that hold something else", async () => {
    const both = await file(
      "both.yaml",
      `${policy("one", "{enforce: [{module: audit}]}")}---\n${policy("two", "{deny: [audit]}")}`,
    );
    const refused = await there("policy", "check", both);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stdout,
      /The policy two would not hold: It denies audit, which the policy one enforces/,
    );
    const stray = await there(
      "policy",
      "check",
      await file("stray.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"),
    );
    assert.match(stray.stderr, /stray\.yaml, document 1: it is a Secret of v1, no KymaPolicy: leave it out/);
    const wrong = await there("policy", "check", await file("wrong.yaml", policy("one", "{deny: 5}")));
    assert.match(wrong.stderr, /wrong\.yaml, document 1: .*spec\.deny/);
  });
});

describe("runtimes", () => {
  const condition = (type: string, status: string, message = "") => ({
    type,
    status,
    reason: "Ready",
    message,
    lastTransitionTime: "2026-01-05T10:00:00Z",
  });

  it("tells which answer, which tell of their changes, and what is unmet", async () => {
    await put(Kyma, "far", {
      labels: { [LABELS.runtimeId]: "rt-4711" },
      spec: { channel: "regular" },
      status: {
        state: "Error",
        conditions: [
          condition("Reachable", "False", "its API server does not answer"),
          condition("SKRWebhook", "True"),
        ],
      },
    });
    await put(Kyma, "new", { spec: { channel: "regular" } });
    const { stdout } = await there("runtimes");
    assert.match(stdout, /far +rt-4711 +Error +no +yes +Reachable: its API server does not answer$/m);
    assert.match(stdout, /new +not looked at yet +unknown +unknown$/m);
  });
});

describe("module status", () => {
  it("tells the wish, the state, and what is installed for it", async () => {
    await put(Kyma, "rt", {
      spec: { channel: "regular", modules: [{ name: "alpha-store", customResourcePolicy: "Ignore" }] },
      status: {
        state: "Processing",
        modules: [
          { name: "alpha-store", state: "Processing", version: "1.0.0", maintenance: true, message: "waits" },
        ],
      },
    });
    await put(Manifest, "rt-alpha-store-1", {
      labels: { [LABELS.kymaName]: "rt", [LABELS.moduleName]: "alpha-store" },
      spec: {
        remote: true,
        version: "1.0.0",
        install: { name: "raw-manifest", source: { ref: "sha256:1" } },
        resource: { apiVersion: "store.acme.test/v1", kind: "AlphaStore", metadata: { name: "default" } },
      },
      status: {
        state: "Processing",
        lastOperation: { operation: "waits for its operator", lastUpdateTime: "2026-01-15T10:00:00Z" },
        synced: [{ group: "", version: "v1", kind: "ConfigMap", name: "one", namespace: "default" }],
      },
    });
    const { code, stdout } = await there("module", "status", "alpha-store", "--kyma", "rt");
    assert.equal(code, 0);
    for (const line of [
      /^team-\d+\/rt: alpha-store 1\.0\.0$/m,
      /^state: Processing, waits for its maintenance window$/m,
      /^why: waits$/m,
      /^wish: looked after, channel regular, default object: Ignore$/m,
      /^Manifest: rt-alpha-store-1, version 1\.0\.0, Processing$/m,
      /^says: waits for its operator$/m,
      /^default object: AlphaStore default$/m,
      /^objects: 1\n {2}ConfigMap default\/one$/m,
    ])
      assert.match(stdout, line);
    const json = await there("module", "status", "alpha-store", "--kyma", "rt", "-o", "json");
    assert.deepEqual(JSON.parse(json.stdout).manifest.objects, ["ConfigMap default/one"]);
  });

  it("names a module that the Kyma has nothing to do with", async () => {
    await put(Kyma, "rt", { spec: { channel: "regular" } });
    const { code, stderr } = await there("module", "status", "mesh-core", "--kyma", "rt");
    assert.equal(code, 1);
    assert.match(stderr, /error: The Kyma team-\d+\/rt has no module mesh-core: .*module list/);
  });
});
