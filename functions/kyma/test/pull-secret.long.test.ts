import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { CONTROL_PLANE, RUNTIME_NAMESPACE } from "../kinds/index.ts";
import { alphaStore, enabled, operatorThere } from "./alpha-store.ts";
import { everythingIn } from "./everything.ts";
import { keptLog } from "./kept-log.ts";
import { type Stage, startStage } from "./stage.ts";

const NAME = "pull-secret";
const SECRETS = resourceOf(Secret);
const HOME = { name: NAME, namespace: CONTROL_PLANE };
const COPY = { name: NAME, namespace: RUNTIME_NAMESPACE };
const TYPE = "kubernetes.io/dockerconfigjson";
const auth = (word: string): string =>
  Buffer.from(JSON.stringify({ auths: { "registry.test": { auth: word } } })).toString("base64");
const [FIRST, SECOND] = ["first-word-of-the-test", "second-word-of-the-test"];

const copyIn = async ({ client }: RemoteCluster) => client.get(SECRETS, COPY);
const contentIn = async (remote: RemoteCluster): Promise<unknown> =>
  fieldOf((await copyIn(remote))?.data, ".dockerconfigjson");
async function says(s: Stage): Promise<string> {
  const { state, conditions } = await s.says();
  const condition = conditions?.find(({ type }) => type === "SKRImagePullSecretSync");
  return `${state}, ${condition?.status} ${condition?.reason}: ${condition?.message}`;
}
/** Writes the Secret of the control plane. */
async function put(s: Stage, word: string): Promise<void> {
  const body = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: HOME,
    type: TYPE,
    data: { ".dockerconfigjson": auth(word) },
  };
  await s.stack.client.apply(SECRETS, HOME, body, { fieldManager: "user", force: true });
  await s.settled();
}

it("the Secret with which images are pulled is in the runtime, and its content in no other place", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "pull-secret-"));
  t.onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { log, lines } = keptLog();
  const s = await startStage({
    api: "local",
    target: "secret",
    log,
    directory,
    settings: { imagePullSecret: NAME },
  });
  t.onTestFinished(() => s.stop());
  const remote = await enabled(s, { version: alphaStore("1.0.0") });

  const before = await says(s);
  assert.match(before, /^Processing, False Ready: Waiting for the Secret kcp-system\/pull-secret/);
  assert.match((await s.says()).lastOperation?.operation ?? "", /kcp-system\/pull-secret.*create it/);
  assert.equal(await copyIn(remote), undefined);
  const pods = fieldOf(fieldOf(fieldOf(await operatorThere(remote), "spec"), "template"), "spec");
  assert.deepEqual(fieldOf(pods, "imagePullSecrets"), [{ name: NAME }], "its pods name it");

  await put(s, FIRST);
  expect(await says(s)).toBe("Ready, True Ready: ");
  assert.equal((await copyIn(remote))?.type, TYPE);
  assert.equal(await contentIn(remote), auth(FIRST));
  await put(s, SECOND);
  assert.equal(await contentIn(remote), auth(SECOND), "the next content follows at once");

  await remote.client.delete(SECRETS, COPY, { uid: undefined });
  await s.until("it to be there again", async () => (await contentIn(remote)) === auth(SECOND));
  await s.stack.client.delete(SECRETS, HOME, { uid: undefined });
  await s.settled();
  assert.match(await says(s), /^Processing, False Ready: Waiting for the Secret/);
  assert.equal(await contentIn(remote), auth(SECOND), "what stands stays");
  await put(s, FIRST);
  expect(await says(s)).toBe("Ready, True Ready: ");
  assert.equal(await contentIn(remote), auth(FIRST));

  const kept = new Map([...(await everythingIn(s.stack.client)), ...(await everythingIn(remote.client))]);
  for (const { namespace } of [HOME, COPY]) assert.ok(kept.delete(`Secret ${namespace}/${NAME}`), namespace);
  const files = await Promise.all(
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")),
  );
  assert.ok(lines.length > 0 && files.length > 0);
  const everywhere = [JSON.stringify([...kept]), ...lines, ...files].join("\n");
  for (const word of [FIRST, SECOND])
    for (const one of [word, auth(word)]) assert.ok(!everywhere.includes(one), one);
});

it("where modules go into the control plane's own cluster, it is copied there", async (t) => {
  const s = await startStage({ api: "local", settings: { imagePullSecret: NAME } });
  t.onTestFinished(() => s.stop());
  await s.publish(alphaStore("1.0.0"));
  await s.release("alpha-store", { regular: "1.0.0" });
  await s.wants({ modules: [] });
  assert.match(await says(s), /^Processing, False Ready: Waiting for the Secret/);
  await put(s, FIRST);
  expect(await says(s)).toBe("Ready, True Ready: ");
  const copy = await s.stack.client.get(SECRETS, COPY);
  assert.equal(fieldOf(copy?.data, ".dockerconfigjson"), auth(FIRST));
});

it("one that may not be read is told with what admits it", async (t) => {
  const s = await startStage({ api: "local", target: "secret", settings: { imagePullSecret: "another" } });
  t.onTestFinished(() => s.stop());
  await s.runtime("rt-1");
  await s.wants({ modules: [] });
  await s.until("it to be told", async () =>
    (await says(s)).includes("add secrets/another to injectedSecrets"),
  );
  assert.match(await says(s), /^Processing, False/);
});
