import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { CONTROL_PLANE, LABELS } from "../kinds/index.ts";
import { alphaStore, enabled, operatorThere, SYSTEM } from "./alpha-store.ts";
import { everythingIn } from "./everything.ts";
import { keptLog } from "./kept-log.ts";
import { type Stage, startStage } from "./stage.ts";

const NAME = "pull-secret";
const SECRETS = resourceOf(Secret);
const HOME = { name: NAME, namespace: CONTROL_PLANE };
const ASKING = `
apiVersion: v1
kind: Secret
metadata:
  name: ${NAME}
  namespace: ${SYSTEM}
  annotations: { operator.kyma-project.io/inject-data-from-kcp: "true" }
stringData: { password: of-the-artifact }
`;
const KEPT = ASKING.replace(NAME, "kept").replace('"true"', '"false"');
const [FIRST, SECOND] = ["first-word-of-the-test", "second-word-of-the-test"];
const encoded = (text: string): string => Buffer.from(text).toString("base64");

const contentIn = async ({ client }: RemoteCluster, name = NAME): Promise<unknown> =>
  (await client.get(SECRETS, { name, namespace: SYSTEM }))?.data;
const says = async (s: Stage): Promise<string> => {
  const { state, lastOperation } = (await s.manifest("alpha-store"))?.status ?? {};
  return `${state}: ${lastOperation?.operation}`;
};
/** Writes the Secret of the control plane. */
async function put(s: Stage, labels: Readonly<Record<string, string>>, password: string): Promise<void> {
  const body = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...HOME, labels },
    data: { password: encoded(password) },
  };
  await s.stack.client.apply(SECRETS, HOME, body, { fieldManager: "user", force: true });
  await s.settled();
}

it("a module's Secret has its content from the control plane once that may be had, and no other place has it", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "injection-"));
  t.onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { log, lines } = keptLog();
  const s = await startStage({ api: "local", target: "secret", log, directory });
  t.onTestFinished(() => s.stop());
  const version = alphaStore("1.0.0");
  const remote = await enabled(s, {
    version: { ...version, layer: [version.layer, ASKING, KEPT].join("---\n") },
  });

  expect(await says(s)).toBe(`Processing: waits for the Secret ${NAME} in the control plane`);
  assert.equal(await operatorThere(remote), undefined);
  await put(s, {}, FIRST);
  assert.match(
    await says(s),
    /^Error: the Secret kcp-system\/pull-secret lacks the label operator.*module-name: set it/,
  );
  await put(s, { [LABELS.moduleName]: "beta-map" }, FIRST);
  assert.match(await says(s), /^Error: the Secret kcp-system\/pull-secret is for the module beta-map/);
  assert.equal(await contentIn(remote), undefined);

  const mine = { [LABELS.moduleName]: "alpha-store" };
  await put(s, mine, FIRST);
  assert.match(await says(s), /^Ready/);
  assert.deepEqual(await contentIn(remote), { password: encoded(FIRST) });
  assert.deepEqual(await contentIn(remote, "kept"), { password: encoded("of-the-artifact") });
  await put(s, mine, SECOND);
  assert.deepEqual(await contentIn(remote), { password: encoded(SECOND) });

  await s.stack.client.delete(SECRETS, HOME, { uid: undefined });
  await s.settled();
  assert.match(await says(s), /^Warning: waits for the Secret pull-secret/);
  assert.deepEqual(await contentIn(remote), { password: encoded(SECOND) }, "what stands stays");
  await put(s, mine, FIRST);
  assert.match(await says(s), /^Ready/);

  const kept = new Map([...(await everythingIn(s.stack.client)), ...(await everythingIn(remote.client))]);
  for (const name of [`Secret ${CONTROL_PLANE}/${NAME}`, `Secret ${SYSTEM}/${NAME}`])
    assert.ok(kept.delete(name), name);
  const files = await Promise.all(
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")),
  );
  assert.ok(lines.length > 0 && files.length > 0);
  const everywhere = [JSON.stringify([...kept]), ...lines, ...files].join("\n");
  for (const word of [FIRST, SECOND])
    for (const one of [word, encoded(word)]) assert.ok(!everywhere.includes(one), one);
});
