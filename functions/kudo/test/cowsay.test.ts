import assert from "node:assert/strict";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { fieldOf } from "../../../shared/json/fields.ts";
import { ConfigMap, Deployment, Pod } from "../../../shared/kube/kinds/index.ts";
import { packageObjects, readPackage } from "../decide/package/index.ts";
import { OperatorVersion } from "../kinds/index.ts";
import { storedPackages } from "../ports/packages/adapters/index.ts";
import { folder } from "./conformance.ts";
import { SHOP, type Stage, startStage } from "./stage.ts";

describe("KUDO's package cowsay", { skip: folder === undefined, timeout: 180_000 }, () => {
  let s: Stage;
  beforeAll(async () => {
    s = await startStage({ api: "local" });
  }, 180_000);
  afterAll(() => s?.stop());

  it("serves the page that a Pod fetched", async () => {
    const source = await storedPackages().open(join(folder ?? "", "packages/cowsay/operator"));
    const { operatorVersion } = packageObjects(readPackage(source.files));
    const { name } = operatorVersion.metadata;
    await s.version(name, OperatorVersion.fields.parse(operatorVersion).spec ?? {});
    await s.create({ operatorVersion: { name } });
    await s.settled();
    assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
    const page = "db.deploy.main.genfiles.genwww.indexhtml";
    const binaryData = fieldOf(await s.find(ConfigMap, page), "binaryData");
    assert.equal(
      Buffer.from(String(fieldOf(binaryData, "index.html")), "base64").toString(),
      "simulated /tmp/index.html\n",
    );
    const spec = fieldOf(fieldOf((await s.find(Deployment, "db-deployment"))?.spec, "template"), "spec");
    assert.deepEqual(fieldOf(spec, "volumes"), [
      { name: "www", configMap: { name: page, defaultMode: 420 } },
    ]);
    const pods = await s.list(Pod, SHOP);
    assert.deepEqual(
      pods.filter(({ metadata }) => metadata.name.endsWith("pipepod")),
      [],
    );
  });
});
