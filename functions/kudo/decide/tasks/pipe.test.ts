import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type Effects, type Obj, type Results, Sealed } from "../../../../shared/function/index.ts";
import { KubeError, type KubeErrorKind } from "../../../../shared/kube/errors.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Instance, type TaskSpec, Templated } from "../../kinds/index.ts";
import { PLAN_UID_ANNOTATION } from "../decorate/index.ts";
import { type Look, look, type SeenTask } from "./look.ts";
import { prepare } from "./prepare.ts";
import { runTask } from "./run.ts";

const OWNER = "uid-of-db";
const RUN = "this-run";
const POD = "db.deploy.main.make.certs.pipepod";
const KEY = "db.deploy.main.make.certs.key";
const ENV = "db.deploy.main.make.certs.env";
const metadata = { name: "db", namespace: "shop", uid: OWNER, resourceVersion: "1" };
const self = parseObject(Instance, { apiVersion: "kudo.dev/v1beta1", kind: "Instance", metadata, spec: {} });

const MAKER = `apiVersion: v1
kind: Pod
spec:
  volumes: [{name: made, emptyDir: {}}]
  initContainers: [{name: make, image: example.org/make, volumeMounts: [{name: made, mountPath: /tmp}]}]
`;
const PIPE: TaskSpec = {
  pod: "maker.yaml",
  pipe: [
    { file: "/tmp/key", kind: "Secret", key: "key" },
    { envFile: "/tmp/env", kind: "ConfigMap", key: "env" },
  ],
};
const prepared = (spec: TaskSpec = PIPE, template = MAKER) =>
  prepare({
    instance: self,
    version: {
      metadata: { name: "v" },
      spec: { templates: { "maker.yaml": template }, tasks: [{ name: "certs", kind: "Pipe", spec }] },
    },
    consumed: { execution: 1, planName: "deploy", planUID: RUN, operatorVersion: {} },
    ...{ plan: "deploy", phase: "main", step: "make", task: "certs" },
  });

interface Given {
  readonly run?: string;
  readonly ready?: boolean;
  readonly phase?: string;
  readonly reason?: string;
  readonly disrupted?: true;
  readonly deleting?: true;
  readonly foreign?: true;
}
const live = (kind: string, name: string, given: Given = {}): Obj<typeof Templated> => {
  const { run = RUN, ready = true, phase = "Running", reason, disrupted, deleting, foreign } = given;
  const owner = {
    apiVersion: "kudo.dev/v1beta1",
    kind: "Instance",
    name: "db",
    uid: OWNER,
    controller: true,
  };
  return parseObject(Templated, {
    apiVersion: "v1",
    kind,
    metadata: {
      ...{ name, namespace: "shop", uid: `uid-of-${name}`, resourceVersion: "1" },
      annotations: { [PLAN_UID_ANNOTATION]: run },
      ownerReferences: foreign ? [] : [owner],
      ...(deleting && { deletionTimestamp: "2026-01-05T10:00:00Z" }),
    },
    ...(kind === "Pod" && {
      status: {
        phase,
        ...(reason !== undefined && { reason }),
        conditions: [
          { type: "Ready", status: ready ? "True" : "False" },
          ...(disrupted
            ? [{ type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" }]
            : []),
        ],
      },
    }),
  });
};

type Exec = Look["exec"];
const FILES: Readonly<Record<string, string>> = { "/tmp/key": "hunter2", "/tmp/env": "A=1\n" };
const cat: Exec = (_pod, _container, [, path = ""]) =>
  Promise.resolve({ exitCode: 0, stdout: new Sealed(FILES[path] ?? "") });
const nobody: Exec = () => assert.fail("a command was run");
const seen = (objects: readonly Obj<typeof Templated>[], exec: Exec = nobody): Promise<SeenTask> =>
  look(prepared(), "shop", {
    read: ({ kind, name }) =>
      Promise.resolve(objects.find((one) => one.kind === kind && one.metadata.name === name)),
    mayBring: () => true,
    knows: () => Promise.resolve({ scope: "Namespaced" }),
    exec,
    instanceNamed: () => assert.fail("no Instance is asked for"),
    versionOf: () => assert.fail("no version is asked for"),
  });

/** The writes of a task, in words, and its report when all of them are done. */
async function pass(objects: readonly Obj<typeof Templated>[], exec?: Exec) {
  const task = runTask(await seen(objects, exec), {
    self,
    origin: {
      ...{ operator: "keys", operatorVersion: "1.0", instance: "db", namespace: "shop" },
      ...{ plan: "deploy", phase: "main", step: "make", planUid: RUN },
    },
    known: undefined,
    waiterImage: "example.org/shell",
  });
  const done = (() => ({ state: "done", value: undefined, changed: true })) as unknown as Results;
  const report = task.report(done);
  const writes = writesOf(task.effects);
  return {
    writes: writes.map(([words]) => words),
    bodies: writes.flatMap(([, body]) => body ?? []),
    report: `${report.state}${"message" in report ? `: ${report.message}` : ""}`,
  };
}
type Write = readonly [words: string, body?: KubeObject];
function writesOf(effects: Effects): readonly Write[] {
  if ("inOrder" in effects) return effects.inOrder.flatMap(writesOf);
  if (!("plan" in effects)) return "atMost" in effects ? [] : effects.flatMap(writesOf);
  const { plan } = effects;
  if (plan.effect === "remove") return [[`remove ${plan.object.metadata.name}`]];
  assert.ok(plan.effect === "apply");
  return [[`apply ${plan.body.metadata.name}`, plan.body as unknown as KubeObject]];
}
const made = [live("Secret", KEY), live("ConfigMap", ENV)] as const;

describe("a pass over a Pipe task", () => {
  it.each<
    [what: string, objects: readonly Obj<typeof Templated>[], writes: readonly string[], report: RegExp]
  >([
    ["makes its Pod first", [], [`apply ${POD}`], /^waiting: pod .* is not ready/],
    ["waits until that is ready", [live("Pod", POD, { ready: false })], [], /^waiting/],
    ["waits until that is gone", [live("Pod", POD, { deleting: true })], [], /^waiting: .* is being deleted/],
    [
      "removes the Pod of an earlier run",
      [live("Pod", POD, { run: "before" })],
      [`remove ${POD}`],
      /^waiting/,
    ],
    [
      "does not take its own Pod for another's",
      [live("Pod", POD, { foreign: true })],
      [`apply ${POD}`],
      /^waiting/,
    ],
    [
      "does not read what has ended",
      [live("Pod", POD, { phase: "Failed", ready: false })],
      [`remove ${POD}`],
      /^fatal: .*it ended \(Failed\) before/,
    ],
    [
      "makes anew what its node put out",
      [live("Pod", POD, { phase: "Failed", ready: false, reason: "Evicted" })],
      [`remove ${POD}`],
      /^waiting: .*ended by its node \(Evicted\), and is made anew$/,
    ],
    [
      "makes anew what a disruption ended",
      [live("Pod", POD, { phase: "Failed", ready: false, reason: "Other", disrupted: true })],
      [`remove ${POD}`],
      /^waiting: .*\(TerminationByKubelet\)/,
    ],
    [
      "makes anew what was lost with its node",
      [live("Pod", POD, { phase: "Unknown", ready: false, reason: "NodeLost" })],
      [`remove ${POD}`],
      /^waiting: .*\(NodeLost\)/,
    ],
    [
      "does not make anew what took too long",
      [live("Pod", POD, { phase: "Failed", ready: false, reason: "DeadlineExceeded" })],
      [`remove ${POD}`],
      /^fatal: /,
    ],
    ["makes nothing twice", [...made, live("Pod", POD)], [`remove ${POD}`], /^waiting: .* is being deleted/],
    ["is done when its Pod is gone", made, [], /^done$/],
    ["makes all anew where one is missing", made.slice(0, 1), [`apply ${POD}`], /^waiting/],
    [
      "makes all anew for another run",
      [live("Secret", KEY, { run: "before" }), live("ConfigMap", ENV)],
      [`apply ${POD}`],
      /^waiting/,
    ],
    [
      "does not trust what another owns",
      [live("Secret", KEY, { foreign: true }), live("ConfigMap", ENV)],
      [`apply ${POD}`],
      /^waiting/,
    ],
  ])("%s", async (_, objects, writes, report) => {
    const done = await pass(objects);
    assert.deepEqual(done.writes, writes);
    assert.match(done.report, report);
  });

  it("copies all files, and removes the Pod with the last", async () => {
    const { writes, bodies, report } = await pass([live("Pod", POD)], cat);
    assert.deepEqual(writes, [`apply ${KEY}`, `apply ${ENV}`, `remove ${POD}`]);
    assert.match(report, /^waiting: .* is being deleted/);
    const [secret, map] = bodies;
    assert.deepEqual(Object.keys(secret?.data ?? {}), ["key"]);
    assert.deepEqual(Object.keys(map?.data ?? {}), ["A"]);
    assert.equal(secret?.metadata.annotations?.[PLAN_UID_ANNOTATION], RUN);
    assert.doesNotMatch(JSON.stringify(bodies), /hunter2/);
  });

  it("refuses a bad env file, and writes nothing", async () => {
    const bad: Exec = () => Promise.resolve({ exitCode: 0, stdout: new Sealed("A=1\nhunter2\n") });
    const { writes, report } = await pass([live("Pod", POD)], bad);
    assert.deepEqual(writes, [`remove ${POD}`]);
    assert.match(report, /^fatal: env file \/tmp\/env of pod .*: line 2 is no KEY=VALUE$/);
  });
});

describe("a file of a Pod", () => {
  const failing = (kind: KubeErrorKind, code?: string) => (): Promise<never> =>
    Promise.reject(new KubeError(kind, "the sentence", { request: "GET", ...(code && { code }) }));
  it.each<[what: string, exec: Exec, removes: boolean, report: RegExp]>([
    [
      "that is missing is fatal",
      () => Promise.resolve({ exitCode: 1, stdout: new Sealed("") }),
      true,
      /^fatal: .*exit code 1$/,
    ],
    [
      "that is too large is fatal",
      failing("invalid", "KUBE_OUTPUT_TOO_LARGE"),
      true,
      /^fatal: .*larger than 1048576/,
    ],
    [
      "that may not be read is fatal",
      failing("forbidden"),
      true,
      /^fatal: .*pods\/exec create: the sentence$/,
    ],
    ["is read again after a broken connection", failing("unavailable"), false, /^failed: .*the sentence$/],
    ["is read again where no node has it yet", failing("invalid"), false, /^failed/],
    ["is read again where its Pod went", failing("missing"), false, /^failed/],
  ])("%s", async (_, exec, removes, report) => {
    const done = await pass([live("Pod", POD)], exec);
    assert.deepEqual(done.writes, removes ? [`remove ${POD}`] : []);
    assert.match(done.report, report);
  });
  it("ends with the pass that reads it", async () => {
    await assert.rejects(seen([live("Pod", POD)], failing("aborted")), { kind: "aborted" });
  });
});

describe("a Pipe task that cannot run", () => {
  it.each<[why: RegExp, spec: TaskSpec, template?: string]>([
    [/TaskBuildError.*empty pipe files list/, { pod: "maker.yaml" }],
    [/TaskBuildError.*names no pod/, { ...PIPE, pod: "" }],
    [/TaskBuildError.*invalid pipe kind/, { ...PIPE, pipe: [{ file: "/tmp/a", kind: "Pod", key: "a" }] }],
    [/TaskRenderingError.*no such template/, { ...PIPE, pod: "none.yaml" }],
    [/TaskRenderingError/, PIPE, `${MAKER}# {{ .Params.NONE }}`],
    [/PipeTaskError.*init containers/, PIPE, "apiVersion: v1\nkind: Pod\n"],
    [/PipeTaskError.*mount path/, { ...PIPE, pipe: [{ file: "/etc/a", kind: "Secret", key: "a" }] }],
  ])("says so at once: %s", (why, spec, template) => {
    const found = prepared(spec, template);
    assert.ok(found.do === "report" && found.report.state === "fatal");
    assert.match(`${found.report.reason}: ${found.report.message}`, why);
  });
});
