import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { follow } from "../../../infra/testing/system-parts.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { crdOf } from "../../../shared/kube/crd.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";

let api: TestApi;
let folder: string;
let kubeconfig: string;
let stop: () => Promise<void>;

/** Runs a command against the test's cluster. */
const kudo = (...words: readonly string[]) => reveilleHere(["kudo", ...words, "--kubeconfig", kubeconfig]);
const at = (name: string) => ({ namespace: "default", name });
const instanceAt = async (name: string) => {
  const raw = await api.client.get(resourceOf(Instance), at(name));
  return raw && parseObject(Instance, raw);
};

/** Plays the functions: takes whatever lock is written, and ends its plan as it is told to. */
function player(ends: () => "COMPLETE" | "FATAL_ERROR") {
  const played = new Set<string>();
  const following = follow<KubeObject>({
    client: api.client,
    resource: resourceOf(Instance),
    keep: (object) => object,
    changed: (now) => void play(now),
  });
  const play = async (raw: KubeObject): Promise<void> => {
    const { metadata, spec, status } = parseObject(Instance, raw);
    const uid = spec?.planExecution?.uid || `run-${metadata.generation}`;
    const planName =
      spec?.planExecution?.planName || (status?.executions === undefined ? "deploy" : "update");
    if (
      played.has(`${metadata.uid} ${uid}`) ||
      (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0)
    )
      return;
    played.add(`${metadata.uid} ${uid}`);
    const executions = (status?.executions ?? 0) + 1;
    const state = ends();
    const step = { name: "app", status: state, ...(state === "FATAL_ERROR" && { message: "it broke" }) };
    await api.client.patch(
      resourceOf(Instance),
      at(metadata.name),
      "merge",
      {
        status: {
          // Its lock is let go of below.
          observedGeneration: (metadata.generation ?? 0) + (spec?.planExecution === undefined ? 0 : 1),
          executions,
          lastStarted: {
            execution: executions,
            planName,
            planUID: uid,
            operatorVersion: spec?.operatorVersion,
            parameters: spec?.parameters ?? {},
          },
          aggregatedStatus: { status: state, activePlanName: "", activePlanUID: "" },
          planStatus: {
            [planName]: {
              name: planName,
              uid,
              status: state,
              lastUpdatedTimestamp: "2026-01-05T10:00:04Z",
              phases: [{ name: "main", status: state, steps: [step] }],
            },
          },
        },
      },
      { fieldManager: "player", subresource: "status" },
    );
    await api.client.patch(
      resourceOf(Instance),
      at(metadata.name),
      "merge",
      { spec: { planExecution: null } },
      { fieldManager: "player" },
    );
  };
  return following;
}
let ends: "COMPLETE" | "FATAL_ERROR" = "COMPLETE";

beforeAll(async () => {
  api = await startTestApi({ api: "local", controllers: false });
  for (const kind of [Operator, OperatorVersion, Instance])
    await api.client.create(
      resourceOf(CustomResourceDefinition),
      { ...crdOf(kind) },
      { fieldManager: "test" },
    );
  folder = await mkdtemp(join(tmpdir(), "kudo-commands-"));
  kubeconfig = join(folder, "kubeconfig");
  const { connection } = api;
  await writeFile(kubeconfig, await kubeconfigOf(connection));
  const following = player(() => ends);
  stop = () => following.stop();
  await reveilleHere(["kudo", "package", "new", "web", "--destination", join(folder, "web")]);
});
afterAll(async () => {
  await stop();
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

const web = (): string => join(folder, "web");
/** The package with another version, and whatever else is put in place of it. */
async function another(name: string, replace: readonly (readonly [string, string])[]): Promise<string> {
  const to = join(folder, name);
  await reveilleHere(["kudo", "package", "new", "web", "--destination", to]);
  for (const file of ["operator.yaml", "params.yaml"]) {
    let text = await readFile(join(to, file), "utf8");
    for (const [from, by] of replace) text = text.replace(from, by);
    await writeFile(join(to, file), text);
  }
  return to;
}

describe("a package", () => {
  it("that is new verifies, is packed to a .tgz and listed", async () => {
    const verified = await reveilleHere(["kudo", "package", "verify", web()]);
    assert.deepEqual([verified.code, verified.stdout], [0, "package is valid\n"]);
    const packed = await reveilleHere(["kudo", "package", "create", web(), "-d", folder]);
    assert.equal(packed.stdout, `Package created: ${join(folder, "web-0.1.0.tgz")}\n`, packed.stderr);
    const listed = await reveilleHere([
      "kudo",
      "package",
      "list",
      "plans",
      join(folder, "web-0.1.0.tgz"),
      "--with-tasks-resources",
    ]);
    assert.equal(
      listed.stdout,
      [
        "plans",
        "└── deploy (serial)",
        "    └── [phase]  main (serial)",
        "        └── [step]  app",
        "            └── [apply]  app",
        "                └── deployment.yaml",
        "",
      ].join("\n"),
    );
    const parameters = await reveilleHere(["kudo", "package", "list", "parameters", web(), "--descriptions"]);
    assert.equal(
      parameters.stdout,
      "Name    \tDefault\tRequired\tImmutable\tDescription       \nREPLICAS\t1      \ttrue    \tfalse    \tHow many pods run.\n",
    );
  });

  it("that is faulty is told with every error, and is not packed", async () => {
    const faulty = await another("faulty", [
      ["- app\n", "- nobody\n"],
      ["type: integer", "type: int"],
    ]);
    const verified = await reveilleHere(["kudo", "package", "verify", faulty]);
    assert.equal(verified.code, 1);
    assert.match(
      verified.stdout,
      /^Warnings\ntask "app" defined but not used\nErrors\ntask "nobody" in plan "deploy" is not defined\n/,
    );
    assert.match(verified.stderr, /found 2 package verification errors/);
    const packed = await reveilleHere(["kudo", "package", "create", faulty, "-d", folder]);
    assert.deepEqual([packed.code, packed.stdout], [1, ""]);
  });
});

describe("installing", () => {
  it("creates the three objects, and follows the run that this started", async () => {
    const { code, stdout, stderr } = await kudo(
      "install",
      web(),
      "--instance",
      "one",
      "-p",
      "REPLICAS=2",
      "--wait",
    );
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^operator\.kudo\.dev\/v1beta1\/web created\noperatorversion\.kudo\.dev\/v1beta1\/web-0\.1\.0 created\ninstance\.kudo\.dev\/v1beta1\/one created\nPlan\(s\) for "one" in namespace "default":\n/,
    );
    assert.match(stdout, /Plan deploy \(serial strategy\) \[COMPLETE\], last updated 2026-01-05 10:00:04/);
    assert.match(stderr, /^deploy\.main\.app \[COMPLETE\]\ndeploy \[COMPLETE\]\n$/);
    assert.deepEqual((await instanceAt("one"))?.spec?.parameters, { REPLICAS: "2" });
    const again = await kudo("install", web(), "--instance", "one");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is there already/);
  });

  it("ends with 1 and the step's message where the plan fails, with 2 where it does not end", async () => {
    ends = "FATAL_ERROR";
    const failed = await kudo("install", web(), "--instance", "broken", "--wait");
    ends = "COMPLETE";
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /error: Plan deploy failed: it broke\n$/);
    await stop();
    const late = await kudo("install", web(), "--instance", "late", "--wait", "--wait-time", "0.05");
    assert.equal(late.code, 2);
    assert.match(late.stderr, /did not end in time/);
    const following = player(() => ends);
    stop = () => following.stop();
    await following.synced;
  });

  it("refuses what is missing or wrong before anything is written", async () => {
    const needy = await another("needy", [
      ["default: 1", "required: true"],
      ['name: "web"', "name: needy"],
    ]);
    const { code, stderr } = await kudo("install", needy);
    assert.equal(code, 2);
    assert.match(stderr, /missing required parameters during installation: REPLICAS/);
    assert.equal(await api.client.get(resourceOf(Operator), at("needy")), undefined);
  });

  it("tells in a dry run which plan would start and what it would touch", async () => {
    const { code, stdout, stderr } = await kudo("install", web(), "--instance", "thought", "--dry-run");
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^Plan deploy would start\.\n {2}\+ Deployment thought \(deploy\.main\.app\.app\)\n/,
    );
    assert.equal(await instanceAt("thought"), undefined);
    const refused = await kudo("install", web(), "--instance", "thought", "-p", "REPLICAS=many", "--dry-run");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /It would be refused: .*REPLICAS/);
  });

  it("tells in a dry run of no plan that would not start", async () => {
    const definitions = await kudo("install", web(), "--skip-instance", "--dry-run");
    assert.equal(definitions.code, 0, definitions.stderr);
    assert.equal(definitions.stdout, "No plan would start: --skip-instance leaves out the Instance.\n");
    const again = await kudo("install", web(), "--instance", "one", "--dry-run");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is there already/);
    // The version that is there stays, so its plan is the one that would run.
    const renamed = await another("renamed", []);
    const changed = join(renamed, "templates", "deployment.yaml");
    await writeFile(
      changed,
      (await readFile(changed, "utf8")).replace("kind: Deployment", "kind: DaemonSet"),
    );
    const { code, stdout, stderr } = await kudo("install", renamed, "--instance", "other", "--dry-run");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /warning: operatorversion\.kudo\.dev\/v1beta1\/web-0\.1\.0 is there and differs/);
    assert.match(stdout, /\+ Deployment other/);
  });
});

describe("an Instance", () => {
  it("is updated, from the command line before files", async () => {
    await writeFile(join(folder, "values.yaml"), "REPLICAS: 7\n");
    const dry = await kudo("update", "--instance", "one", "-p", "REPLICAS=3", "--dry-run");
    assert.match(dry.stdout, /^Plan deploy would start\.\n {2}~ Deployment one/, dry.stderr);
    const { code, stdout, stderr } = await kudo(
      ...["update", "--instance", "one", "-P", join(folder, "values.yaml"), "-p", "REPLICAS=3", "--wait"],
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Instance one was updated\.\n/);
    assert.deepEqual((await instanceAt("one"))?.spec?.parameters, { REPLICAS: "3" });
    const nothing = await kudo("update", "--instance", "one");
    assert.equal(nothing.code, 2);
  });

  it("is upgraded to a greater version alone", async () => {
    const same = await kudo("upgrade", web(), "--instance", "one");
    assert.equal(same.code, 1);
    assert.match(
      same.stderr,
      /upgraded version 0\.1\.0 is the same or smaller as current version 0\.1\.0 -> not upgrading/,
    );
    const newer = await another("newer", [["operatorVersion: 0.1.0", 'operatorVersion: "0.10"']]);
    const { code, stdout, stderr } = await kudo("upgrade", newer, "--instance", "one", "--wait");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /instance\.kudo\.dev\/v1beta1\/one updated/);
    assert.equal((await instanceAt("one"))?.spec?.operatorVersion?.name, "web-0.10");
  });

  it("runs the plan that is asked for, and gives one up", async () => {
    const { code, stdout, stderr } = await kudo(
      "plan",
      "trigger",
      "--name",
      "deploy",
      "--instance",
      "one",
      "--wait",
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Triggered deploy plan for default\/one instance\n/);
    const given = await kudo("plan", "cancel", "--instance", "one");
    assert.equal(given.stdout, "Gave up the plan of default/one instance\n");
    assert.deepEqual((await instanceAt("one"))?.spec?.planExecution, {
      planName: "",
      uid: "",
      status: "",
      force: true,
    });
  });

  it("is listed, shown and diagnosed without secrets", async () => {
    const all = await kudo("get", "all");
    assert.match(all.stdout, /└── web\n {4}├── web-0\.1\.0\n {4}│ {3}├── broken \[FATAL_ERROR\]/);
    const history = await kudo("plan", "history", "--instance", "broken");
    assert.match(
      history.stdout,
      /^\.\n└── deploy \(last finished run at 2026-01-05T10:00:04 \(FATAL_ERROR\)\)\n/,
    );
    const status = await kudo("plan", "status", "--instance", "broken", "-o", "json");
    assert.equal((JSON.parse(status.stdout) as { activePlan: string }).activePlan, "deploy");
    const told = await kudo("diagnostics", "--instance", "one", "-d", join(folder, "told"));
    assert.equal(told.code, 0, told.stderr);
    assert.match(await readFile(join(folder, "told", "instance_one.yaml"), "utf8"), /REPLICAS/);
  });

  it("is looked for in the namespace of the kubeconfig's context, unless another is named", async () => {
    const elsewhere = join(folder, "elsewhere");
    await writeFile(elsewhere, await kubeconfigOf(api.connection, "team-a"));
    const history = (...words: readonly string[]) =>
      reveilleHere(["kudo", "plan", "history", "--instance", "one", "--kubeconfig", elsewhere, ...words]);
    assert.match((await history()).stderr, /Instance team-a\/one does not exist/);
    assert.equal((await history("-n", "default")).code, 0);
    const got = await reveilleHere(["kudo", "get", "--kubeconfig", elsewhere]);
    assert.match(got.stdout + got.stderr, /team-a/);
  });

  it("is uninstalled", async () => {
    const clusterObjects = [
      { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "reader" },
    ];
    await api.client.patch(
      resourceOf(Instance),
      at("one"),
      "merge",
      { status: { clusterObjects } },
      { fieldManager: "player", subresource: "status" },
    );
    const { code, stdout, stderr } = await kudo("uninstall", "--instance", "one", "--wait");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /stay; delete.*\n +clusterrole\.rbac\.authorization\.k8s\.io\/v1\/reader\n/);
    assert.equal(stdout.split("\n")[0], "instance.kudo.dev/v1beta1/one deleted");
    assert.equal(await instanceAt("one"), undefined);
    const gone = await kudo("uninstall", "--instance", "one");
    assert.match(gone.stderr, /Instance default\/one does not exist/);
  });
});
