import assert from "node:assert/strict";
import { it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { simulationTools } from "../../../infra/testing/system-parts.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf } from "../../../shared/kube/object.ts";
import { playClusterApi } from "./play.ts";
import { NODE_IMAGES, PROVIDER_RELEASES } from "./resources.ts";

const NAMESPACE = "default";
const AT = { name: "docker-ferrol-1-27-ubuntu-v1", namespace: NAMESPACE };
/** An import that does not end while the first player lives, and one that has ended when the next one looks. */
const [LONG, SHORT] = [600_000, 5] as const;

/** Scenario 39. */
it("releases share a node image, whose import is found again, and which goes with the last of them", async (t) => {
  const api = await startTestApi({ api: "local" });
  t.onTestFinished(() => api.stop());
  const post = () => Promise.reject(new Error("nobody answers"));
  const play = (delayMilliseconds: number) =>
    playClusterApi({ ...simulationTools(api.client), post }, { delayMilliseconds });
  const read = (resource: Resource, at: { readonly name: string; readonly namespace: string }) =>
    api.client.get(resource, at);
  const put = (version: string) => {
    const at = { name: `docker-ferrol-1-27-${version}`, namespace: NAMESPACE };
    const { kind } = PROVIDER_RELEASES;
    const body = { apiVersion: apiVersionOf(PROVIDER_RELEASES), kind, metadata: at };
    const spec = { nodeImages: ["ubuntu-v1"] };
    return api.client.apply(PROVIDER_RELEASES, at, { ...body, spec }, { fieldManager: "test" });
  };
  const isReady = async (version: string) => {
    const found = await read(PROVIDER_RELEASES, { ...AT, name: `docker-ferrol-1-27-${version}` });
    return fieldOf(found?.status, "ready") === true;
  };
  const drop = (version: string) =>
    api.client.delete(
      PROVIDER_RELEASES,
      { name: `docker-ferrol-1-27-${version}`, namespace: NAMESPACE },
      { uid: undefined },
    );
  const image = () => read(NODE_IMAGES, AT);
  const inCloud = () => read(resourceOf(ConfigMap), { ...AT, name: `image-${AT.name}` });
  const owners = async () => ((await image())?.metadata.ownerReferences ?? []).map(({ name }) => name).sort();

  let playing = await play(LONG);
  t.onTestFinished(() => playing.stop());
  await put("v1");
  await eventually("the import to begin", async () => (await inCloud()) !== undefined);
  const first = await inCloud();
  const started = fieldOf((await image())?.status, "startedAt");
  await put("v2");
  await eventually("two owners", async () => (await owners()).length === 2);
  assert.deepEqual(await owners(), ["docker-ferrol-1-27-v1", "docker-ferrol-1-27-v2"]);
  assert.deepEqual([await isReady("v1"), await isReady("v2")], [false, false]);
  await playing.stop();
  playing = await play(SHORT);
  await eventually("both releases to be ready", async () => (await isReady("v1")) && (await isReady("v2")));
  assert.equal(fieldOf((await image())?.status, "startedAt"), started, "it was imported once");
  assert.equal((await inCloud())?.metadata.uid, first?.metadata.uid);

  await drop("v1");
  await eventually("the first owner to go", async () => (await owners()).length === 1);
  await playing.idle();
  assert.ok((await inCloud()) !== undefined && (await isReady("v2")), "the other release still needs it");
  await drop("v2");
  await eventually("the image to go", async () => (await image()) === undefined);
  assert.equal(await inCloud(), undefined, "it went from the cloud first");
});
