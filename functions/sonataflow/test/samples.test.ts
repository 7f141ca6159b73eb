import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "vitest";
import { Platform, Workflow } from "../index.ts";
import { startStackCluster } from "./stack-cluster.ts";

const FOLDER = new URL("../samples/", import.meta.url);

test("the samples are valid and settle into what their comments say", async (t) => {
  const cluster = await startStackCluster("local");
  t.onTestFinished(() => cluster.stack.stop());
  for (const file of readdirSync(FOLDER)
    .filter((name) => name.endsWith(".yaml"))
    .toSorted())
    await cluster.stack.apply(readFileSync(new URL(file, FOLDER), "utf8"));
  await cluster.settled();
  const flows = await cluster.list(Workflow);
  const uses = Object.fromEntries(flows.map(({ metadata, status }) => [metadata.name, status?.services]));
  const shared = {
    dataIndexRef: { url: "http://hub-data-index-service.workflow-hub" },
    jobServiceRef: { url: "http://hub-jobs-service.workflow-hub" },
  };
  assert.deepEqual(uses, { draft: undefined, invoice: undefined, parcel: shared });
  const notReady = [...flows, ...(await cluster.list(Platform))].flatMap(({ metadata, status }) =>
    (status?.conditions ?? [])
      .filter(({ type, status: holds }) => type !== "Built" && holds !== "True")
      .map(({ type, message }) => `${metadata.name} ${type} ${message}`),
  );
  assert.deepEqual(notReady, []);
});
