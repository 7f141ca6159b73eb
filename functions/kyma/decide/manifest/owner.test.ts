import assert from "node:assert/strict";
import { test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Kyma, LABELS, Manifest } from "../../kinds/index.ts";
import { memoryHandlers } from "../../ports/trusted-handlers/adapters/index.ts";
import { type ManifestReads, observeManifest } from "./observe.ts";

const manifest = (label: string | undefined, controller: string | undefined, kind = "Kyma") =>
  parseObject(Manifest, {
    apiVersion: `${Manifest.group}/${Manifest.version}`,
    kind: "Manifest",
    metadata: {
      ...{ name: "rt-alpha-1", namespace: "kcp-system", uid: "m", resourceVersion: "1" },
      ...(label !== undefined && { labels: { [LABELS.kymaName]: label } }),
      ...(controller !== undefined && {
        ownerReferences: [
          { apiVersion: `${Kyma.group}/${Kyma.version}`, kind, name: controller, uid: "k", controller: true },
        ],
      }),
    },
    spec: { remote: true, install: { name: "raw-manifest", source: {} } },
  });

/** The Kyma and the runtime that a decision about a Manifest asks about. */
async function askedAbout(self: ReturnType<typeof manifest>): Promise<readonly string[]> {
  const asked: string[] = [];
  const never = () => assert.fail("nothing of a runtime is read");
  const reads: ManifestReads = {
    components: { describe: never, layer: never },
    handlers: memoryHandlers(),
    kyma: async ({ name, namespace }) => {
      asked.push(name);
      return parseObject(Kyma, {
        apiVersion: `${Kyma.group}/${Kyma.version}`,
        kind: "Kyma",
        metadata: { name, namespace, uid: "k", resourceVersion: "1" },
        spec: { channel: "regular" },
      });
    },
    manifest: never,
    manifests: never,
    there: async (cluster) => {
      asked.push(cluster);
      return { state: "reachable", cluster, isUnmarked: true } as never;
    },
    object: never,
    objects: never,
    knows: never,
    secret: never,
  };
  const { step } = await observeManifest(self, reads, { dependencyGraceMinutes: 5 });
  return [step, ...asked];
}

test("a Manifest is of the Kyma that controls it, whatever its label was changed to", async () => {
  assert.deepEqual(await askedAbout(manifest("rt", "rt")), ["unmarked", "rt", "rt"]);
  for (const label of ["other", undefined])
    assert.deepEqual(await askedAbout(manifest(label, "rt")), ["mislabelled"], "no runtime is asked");
});
test("one that no Kyma controls is of the one that its label names, and of none without", async () => {
  assert.deepEqual(await askedAbout(manifest("rt", undefined)), ["unmarked", "rt", "rt"]);
  assert.deepEqual(await askedAbout(manifest("rt", "set", "Deployment")), ["unmarked", "rt", "rt"]);
  assert.deepEqual(await askedAbout(manifest(undefined, undefined)), ["unlabelled"]);
});
