import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import {
  ACCOUNT,
  type RegistryServer,
  skipWithoutRegistries,
  startRegistry,
} from "../../infra/testing/registries.ts";
import { MANIFEST_TYPE, RegistryClient, repositoryOf, TITLE } from "./index.ts";

const EMPTY = { schemaVersion: 2, mediaType: MANIFEST_TYPE } as const;

for (const which of ["distribution", "crane"] as const)
  describe.skipIf(skipWithoutRegistries())(`a repository of ${which}`, () => {
    let server: RegistryServer;
    beforeAll(async () => {
      server = await startRegistry(which);
    });
    afterAll(() => server.stop());
    const client = (path: string) => new RegistryClient(repositoryOf(`${server.host}/${path}`));

    test("gives what was pushed there", async () => {
      const repository = client("some/artifacts");
      await assert.rejects(repository.tags(), { code: "OCI_NOT_FOUND" });
      const content = Buffer.from("some content");
      const layer = await repository.pushBlob(content, "text/plain");
      assert.deepEqual(await repository.pushBlob(content, "text/plain"), layer);
      const config = await repository.pushBlob(Buffer.from("{}"), "application/vnd.oci.empty.v1+json");
      const layers = [{ ...layer, annotations: { [TITLE]: "a.txt" } }];
      const artifact = { ...EMPTY, artifactType: "application/vnd.example", config, layers };
      const pushed = await repository.pushManifest("v1", artifact);
      const document = await repository.document("v1");
      assert.deepEqual(document, await repository.document(pushed.digest));
      assert.deepEqual(document, { descriptor: pushed, kind: "manifest", content: artifact });
      assert.equal(String(await repository.blobBytes(layer)), "some content");
      await assert.rejects(repository.blobBytes({ ...layer, size: 11 }), { code: "OCI_DIGEST_MISMATCH" });
    });

    test("has all its tags, over pages, until they are taken away", async () => {
      const repository = client("many");
      const config = await repository.pushBlob(Buffer.from("{}"), "application/vnd.oci.empty.v1+json");
      const tags = ["v1", "v10", "v2"];
      for (const tag of tags)
        await repository.pushManifest(tag, { ...EMPTY, config, layers: [], annotations: { tag } });
      assert.deepEqual([...(await repository.tags())].sort(), tags);
      for (const tag of tags) await repository.remove(tag);
      assert.deepEqual(await repository.tags(), []);
      await assert.rejects(repository.document("v1"), { code: "OCI_NOT_FOUND" });
    });
  });

describe.skipIf(skipWithoutRegistries())("a registry with accounts", () => {
  test("answers those whom it knows", async (t) => {
    const server = await startRegistry("distribution", { accounts: true });
    t.onTestFinished(() => server.stop());
    const repository = repositoryOf(`${server.host}/private`);
    const known = new RegistryClient(repository, { credentials: async () => ACCOUNT });
    const blob = await known.pushBlob(Buffer.from("x"), "text/plain");
    assert.equal(String(await known.blobBytes(blob)), "x");
    const wrong = new RegistryClient(repository, {
      credentials: async () => ({ ...ACCOUNT, password: "u" }),
    });
    for (const other of [wrong, new RegistryClient(repository)])
      await assert.rejects(other.blobBytes(blob), { code: "OCI_UNAUTHORIZED" });
  });
});
