import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { fieldOf, fieldsOf, textOf } from "../../../shared/json/fields.ts";
import { ConfigMap, Pod, Secret } from "../../../shared/kube/kinds/index.ts";
import type { OperatorVersionSpec, Task } from "../kinds/index.ts";
import { apply, plan } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";

const VERSION = { operatorVersion: { name: "keys-1.0" } };
const POD_NAME = "db.deploy.main.make.certs.pipepod";

/** A Pod that makes a key, a certificate and a file of variables; SIZE bytes of another. */
const MAKER = `apiVersion: v1
kind: Pod
metadata:
  annotations:
    simulator.reveille.dev/files: '{"/tmp/tls/key": "secret of {{ .Name }}", "/tmp/big": {{ .Params.SIZE }}, "/tmp/env":
      "# made by hand\\nUSER=admin\\nPASSWORD=a=b\\n", "/tmp/none": null}'
spec:
  volumes:
  - {name: made, emptyDir: {}}
  initContainers:
  - name: make
    image: example.org/openssl
    command: [sh, -c, "openssl req -new > /tmp/cert"]
    volumeMounts: [{name: made, mountPath: /tmp}]
`;
const USER = `apiVersion: v1
kind: ConfigMap
metadata: {name: uses}
data: {key: "{{ .Pipes.key }}", cert: "{{ .Pipes.cert }}"}
`;
type Pipes = NonNullable<NonNullable<Task["spec"]>["pipe"]>;
const pipes = (name: string, pipe: Pipes): Task => ({
  name,
  kind: "Pipe",
  spec: { pod: "maker.yaml", pipe },
});
const CERTS: Pipes = [
  { file: "/tmp/tls/key", kind: "Secret", key: "key" },
  { file: "/tmp/cert", kind: "Secret", key: "cert" },
];
const base: OperatorVersionSpec = {
  operator: { name: "keys" },
  version: "1.0",
  parameters: [
    { name: "SIZE", default: "1048576", trigger: "big" },
    { name: "COLOR", default: "red", trigger: "use" },
  ],
  templates: { "maker.yaml": MAKER, "uses.yaml": USER },
  tasks: [pipes("certs", CERTS), apply("uses", "uses.yaml")],
  plans: { deploy: plan("make: certs", "use: uses"), use: plan("use: uses") },
};

const decoded = (fields: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(fields)).map(([key, text]) => [
      key,
      Buffer.from(textOf(text), "base64").toString(),
    ]),
  );
async function deployed(s: Shop, spec: Partial<OperatorVersionSpec> = {}): Promise<void> {
  await s.version(VERSION.operatorVersion.name, { ...base, ...spec });
  await s.create(VERSION);
  await s.settled();
}
const messageOf = async (s: Shop, plan: string): Promise<string> =>
  (await s.plan(plan))?.phases?.[0]?.steps?.[0]?.message ?? "";

/** Pipe tasks: files of a Pod become Secrets and ConfigMaps. */
export const pipesScenarios: readonly Scenario<Shop>[] = [
  {
    number: 30,
    name: "a key and a certificate that a Pod made become Secrets, and the Pod goes",
    async run(s) {
      await deployed(s);
      await s.until("deploy is complete", async () => (await s.plan("deploy"))?.status === "COMPLETE");
      const key = await s.find(Secret, "db.deploy.main.make.certs.key");
      assert.deepEqual(decoded(key?.data), { key: "secret of db" });
      const cert = await s.find(Secret, "db.deploy.main.make.certs.cert");
      assert.deepEqual(decoded(cert?.data), { cert: "simulated /tmp/cert\n" });
      assert.equal(cert?.metadata.labels?.["kudo.dev/instance"], "db");
      assert.equal(cert?.metadata.ownerReferences?.[0]?.name, "db");
      assert.equal(await s.find(Pod, POD_NAME), undefined);
      assert.doesNotMatch(JSON.stringify(await s.instance()), /secret of/);
    },
  },
  {
    number: 30,
    name: "an env file becomes keys, and a file of 1 MiB is the largest",
    async run(s) {
      const env = pipes("env", [
        { envFile: "/tmp/env", kind: "Secret", key: "env" },
        { envFile: "/tmp/env", kind: "ConfigMap", key: "open" },
      ]);
      const big = pipes("large", [{ file: "/tmp/big", kind: "ConfigMap", key: "large" }]);
      await deployed(s, {
        tasks: [env, big],
        plans: { deploy: plan("make: env"), big: plan("make: large") },
      });
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      const secret = await s.find(Secret, "db.deploy.main.make.env.env");
      assert.deepEqual(decoded(secret?.data), { USER: "admin", PASSWORD: "a=b" });
      const map = await s.find(ConfigMap, "db.deploy.main.make.env.open");
      assert.deepEqual(map?.data, { USER: "admin", PASSWORD: "a=b" });
      await s.edit({ planExecution: { planName: "big", uid: "first" } });
      await s.settled();
      assert.equal((await s.plan("big"))?.status, "COMPLETE", await messageOf(s, "big"));
      const large = await s.find(ConfigMap, "db.big.main.make.large.large");
      assert.equal(decoded(large?.binaryData).big?.length, 1_048_576);
      await s.edit({ parameters: { SIZE: "1048577" } });
      await s.settled();
      assert.equal((await s.plan("big"))?.status, "FATAL_ERROR");
      assert.match(await messageOf(s, "big"), /file \/tmp\/big of pod .* is larger than 1048576 bytes/);
      await s.until("its Pod is gone", async () => (await s.list(Pod, SHOP)).length === 0);
    },
  },
  {
    number: 30,
    name: "what is no Pod of a Pipe task, or did not make its file, is fatal",
    async run(s) {
      const absent = pipes("absent", [{ file: "/tmp/none", kind: "Secret", key: "none" }]);
      await deployed(s, { tasks: [absent], plans: { deploy: plan("make: absent") } });
      assert.equal((await s.plan("deploy"))?.status, "FATAL_ERROR");
      assert.match(await messageOf(s, "deploy"), /cat ended with exit code 1$/);
      assert.equal((await s.events("PipeTaskError")).length, 1);
      const outside = pipes("absent", [{ file: "/tmp/../etc/passwd", kind: "Secret", key: "none" }]);
      await s.version("keys-2.0", { ...base, tasks: [outside], plans: { deploy: plan("make: absent") } });
      await s.edit({ operatorVersion: { name: "keys-2.0" } });
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "FATAL_ERROR");
      assert.match(await messageOf(s, "deploy"), /must lie below the mount path \/tmp$/);
      const twice = [pipes("certs", CERTS), pipes("again", CERTS.slice(0, 1))];
      await s.version("keys-3.0", { ...base, tasks: twice, plans: { deploy: plan("make: certs again") } });
      await s.edit({ operatorVersion: { name: "keys-3.0" } });
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "FATAL_ERROR");
      assert.match((await s.plan("deploy"))?.message ?? "", /duplicated pipe key key$/);
      assert.deepEqual(await s.list(Secret, SHOP), []);
    },
  },
  {
    number: 31,
    name: "a plan without the Pipe task finds what another made",
    async run(s) {
      await deployed(s);
      await s.until("deploy is complete", async () => (await s.plan("deploy"))?.status === "COMPLETE");
      const before = await s.find(Secret, "db.deploy.main.make.certs.key");
      await s.edit({ parameters: { COLOR: "blue" } });
      await s.settled();
      assert.equal((await s.plan("use"))?.status, "COMPLETE");
      assert.deepEqual(fieldOf(await s.find(ConfigMap, "uses"), "data"), {
        key: "db.deploy.main.make.certs.key",
        cert: "db.deploy.main.make.certs.cert",
      });
      const after = await s.find(Secret, "db.deploy.main.make.certs.key");
      assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
    },
  },
];
