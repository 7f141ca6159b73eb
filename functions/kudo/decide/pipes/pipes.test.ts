import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fieldOf, listOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import {
  type PipeFile,
  pathsIn,
  pipeFault,
  pipeKeys,
  pipeKeysFault,
  podIn,
  readEnvFile,
  withWaiter,
} from "./index.ts";

describe("the Pod of a Pipe task", () => {
  const init = {
    name: "make",
    image: "example.org/make",
    volumeMounts: [{ name: "made", mountPath: "/tmp/" }],
  };
  const spec = { volumes: [{ name: "made", emptyDir: {} }], initContainers: [init] };
  const pod = (changed: object = {}): KubeObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "pipepod" },
    spec: { ...spec, ...changed },
  });
  const paths = (of: KubeObject, ...files: readonly string[]) => {
    const found = pathsIn(of, files);
    return "fault" in found ? found.fault : found.paths;
  };

  it.each<[why: string, changed: object]>([
    ["has containers", { containers: [{ name: "main" }] }],
    ["has 0 init containers", { initContainers: [] }],
    ["has 2 init containers", { initContainers: [init, { ...init, name: "second" }] }],
    ["has 0 emptyDir volumes", { volumes: [{ name: "made", configMap: { name: "a" } }] }],
    ["has 0 emptyDir volumes", { volumes: [{ name: "made", emptyDir: null }] }],
    ["has 2 emptyDir volumes", { volumes: [...spec.volumes, { name: "other", emptyDir: {} }] }],
    ["mounts its emptyDir 0 times", { initContainers: [{ ...init, volumeMounts: [] }] }],
    ["restartPolicy is Always", { restartPolicy: "Always" }],
    ["restartPolicy is Never", { restartPolicy: "Never" }],
  ])("is none that %s", (why, changed) => {
    assert.match(String(paths(pod(changed), "/tmp/a")), new RegExp(why));
  });

  it.each([
    {},
    { restartPolicy: "" },
    { restartPolicy: "OnFailure" },
    { containers: [] },
    { containers: null },
  ])("may say %o", (changed) => assert.deepEqual(paths(pod(changed), "/tmp/a"), ["/tmp/a"]));
  it("may mount other volumes too", () => {
    const volumes = [...spec.volumes, { name: "ca", configMap: { name: "ca" } }];
    const mounts = [...init.volumeMounts, { name: "ca", mountPath: "/ca" }];
    const of = pod({ volumes, initContainers: [{ ...init, volumeMounts: mounts }] });
    assert.deepEqual(paths(of, "/tmp/a"), ["/tmp/a"]);
    assert.match(String(paths(of, "/ca/a")), /must lie below the mount path/);
  });

  it.each([
    ["/tmp/key", "/tmp/key"],
    ["/tmp//tls/./key", "/tmp/tls/key"],
    ["/tmp/tls/../.env-1_a", "/tmp/.env-1_a"],
  ])("hands over %s", (file, path) => assert.deepEqual(paths(pod(), file), [path]));
  it.each([
    "/tmp",
    "/tmp/",
    "/tmp/.",
    "/tmpkey",
    "/etc/key",
    "/tmp/../etc/key",
    "/tmp/../../tmp/a",
    "key",
    "tmp/key",
    "",
  ])("does not hand over %s", (file) =>
    assert.match(String(paths(pod(), file)), /must lie below the mount path/),
  );
  it.each(["/tmp/a b", "/tmp/ä", "/tmp/..a", "/tmp/a\nb"])("makes no key of %s", (file) =>
    assert.match(String(paths(pod(), file)), /its name becomes a key/),
  );

  it("is the one object of its template, under its own name", () => {
    const named = podIn(
      "a.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: {generateName: x, labels: {a: b}}\n",
      "own",
    );
    assert.deepEqual(named, { apiVersion: "v1", kind: "Pod", metadata: { name: "own", labels: { a: "b" } } });
    assert.deepEqual(podIn("a.yaml", "apiVersion: v1\nkind: Pod\n", "own"), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "own" },
    });
    for (const [text, why] of [
      ["", /holds 0 objects/],
      ["apiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\n", /holds 2 objects/],
      ["apiVersion: v1\nkind: Secret\n", /holds no Pod, but a Secret/],
      ["apiVersion: batch/v1\nkind: Pod\n", /holds no Pod/],
      ["- a\n", /holds no object/],
      ["a: [", /document 1/],
    ] as const)
      assert.match(String(podIn("a.yaml", text, "own")), why);
  });

  it("waits beside its init container, as the same user, and only reads", () => {
    const restricted = { ...init, securityContext: { runAsUser: 7 } };
    const made = withWaiter(pod({ initContainers: [restricted] }), "example.org/shell");
    assert.equal(made.metadata.annotations?.["kudo.dev/pipepod"], "true");
    assert.equal(fieldOf(made.spec, "restartPolicy"), "OnFailure");
    const [waiter, ...others] = listOf(fieldOf(made.spec, "containers"));
    assert.deepEqual(others, []);
    const { command: _, ...rest } = waiter as Readonly<Record<string, unknown>>;
    assert.deepEqual(rest, {
      name: "waiter",
      image: "example.org/shell",
      volumeMounts: [{ name: "made", mountPath: "/tmp/", readOnly: true }],
      securityContext: { runAsUser: 7 },
    });
  });
});

describe("an env file", () => {
  const read = (content: string | Uint8Array) => {
    const file = readEnvFile(Buffer.from(content));
    return "fault" in file ? file.fault : Object.fromEntries(file.variables);
  };
  it.each<[content: string, variables: object]>([
    ["", {}],
    ["A=1", { A: "1" }],
    ["A=1\nB=2\n", { A: "1", B: "2" }],
    ["A=1\r\nB=\r\n", { A: "1", B: "" }],
    ["# A=0\n\n  \t# no\nA=a=b # c \n", { A: "a=b # c " }],
    ["\uFEFFA=1", { A: "1" }],
    ["\uFEFF# comment\nA=1", { A: "1" }],
    ["  A= 1", { A: " 1" }],
    ["a.b-c_D9=1\n_=2\n.x=3\n-=4", { "a.b-c_D9": "1", _: "2", ".x": "3", "-": "4" }],
    ["A=ä", { A: "ä" }],
    ["A=\uFEFF", { A: "\uFEFF" }],
  ])("%j holds %o", (content, variables) => assert.deepEqual(read(content), variables));
  it.each<[content: string | Uint8Array, fault: string]>([
    ["A=1\nhunter2", "line 2 is no KEY=VALUE"],
    ["=1", "line 1 does not begin with the name of a variable"],
    ["1A=1", "line 1 does not begin with the name of a variable"],
    ["A B=1", "line 1 does not begin with the name of a variable"],
    ["A =1", "line 1 does not begin with the name of a variable"],
    [".=1", "line 1 does not begin with the name of a variable"],
    ["..a=1", "line 1 does not begin with the name of a variable"],
    ["A=1\n\uFEFFB=1", "line 2 does not begin with the name of a variable"],
    ["A=1\n\nA=2", "line 3 names a variable a second time"],
    [`${"A".repeat(254)}=1`, "the name in line 1 is longer than 253 characters"],
    [Buffer.from([0x41, 0x3d, 0xff]), "line 1 is no UTF-8"],
  ])("%j is none, and no word of it is told", (content, fault) => assert.equal(read(content), fault));
});

describe("the keys of a plan", () => {
  const file = (key: string): PipeFile => ({ file: `/tmp/${key}`, kind: "Secret", key });
  const faultOf = (
    steps: Readonly<Record<string, readonly string[]>>,
    tasks: Readonly<Record<string, readonly PipeFile[]>>,
  ) =>
    pipeKeysFault(
      pipeKeys(
        Object.entries(tasks).map(([name, pipe]) => ({
          name,
          kind: "Pipe",
          spec: { pod: "p", pipe: [...pipe] },
        })),
        {
          phases: [
            { name: "main", steps: Object.entries(steps).map(([name, of]) => ({ name, tasks: [...of] })) },
          ],
        },
        { instance: "db", plan: "deploy" },
      ),
    );
  it("are unique", () => {
    assert.equal(faultOf({ a: ["t"] }, { t: [file("key"), file("cert")] }), undefined);
    assert.equal(
      faultOf({ a: ["t"], b: ["u"] }, { t: [file("key")], u: [file("key")] }),
      "duplicated pipe key key",
    );
    assert.equal(faultOf({ a: ["t"], b: ["t"] }, { t: [file("key")] }), "duplicated pipe key key");
    assert.equal(faultOf({ a: ["t"] }, { t: [file("key")], u: [file("key")] }), undefined);
  });
  it("have names of their own", () => {
    assert.equal(
      faultOf({ a: ["t"] }, { t: [file("a_b"), file("AB")] }),
      "pipe keys a_b and AB are both stored as db.deploy.main.a.t.ab",
    );
    assert.equal(faultOf({ a: ["t"], b: ["u"] }, { t: [file("a_b")], u: [file("ab")] }), undefined);
  });
  it.each<[PipeFile, RegExp | undefined]>([
    [{ file: "/tmp/a", kind: "Secret", key: "a-B_9" }, undefined],
    [{ envFile: "/tmp/a", kind: "ConfigMap", key: "a" }, undefined],
    [{ kind: "Secret", key: "a" }, /either 'file' or 'envFile'/],
    [{ file: "/a", envFile: "/a", kind: "Secret", key: "a" }, /not both/],
    [{ file: "/a", kind: "Pod", key: "a" }, /invalid pipe kind/],
    [{ file: "/a", kind: "secret", key: "a" }, /invalid pipe kind/],
    [{ file: "/a", kind: "Secret", key: "a.b" }, /invalid pipe key/],
    [{ file: "/a", kind: "Secret", key: "" }, /invalid pipe key/],
  ])("are said well: %o", (pipe, why) =>
    why === undefined ? assert.equal(pipeFault(pipe), undefined) : assert.match(pipeFault(pipe) ?? "", why),
  );
});
