import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { installKinds } from "../../../infra/testing/stack.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import { defineSystem, each } from "../../../shared/function/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterVersion } from "../kinds/index.ts";
import { change } from "./change.ts";
import { readVersion } from "./read.ts";
import type { Outcome } from "./request.ts";

const KIND = resourceOf(ClusterVersion);
const NAMED = { name: "version" };
const write = (channel: string): Outcome => ({
  outcome: "write",
  spec: { channel },
  said: "Said.",
  warnings: [],
});

/** Prints nothing. */
const quiet = { print: () => undefined, say: () => undefined };

describe("a change that is asked for on the command line", () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers: false });
    const declared = each(ClusterVersion, { status: [] }).function({
      name: "version",
      reconcile: () => ({}),
    });
    await installKinds(api.client, [defineSystem({ name: "board", functions: [declared] })]);
    const spec = { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", channel: "a" };
    const object = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", metadata: NAMED, spec };
    await api.client.create(KIND, object, { fieldManager: "admin" });
  });
  afterAll(() => api.stop());
  const channelNow = async () => (await readVersion(api.client))?.spec.channel;

  it("is written under a field manager of its own, and not at all in a dry run or where it is refused", async () => {
    await change(quiet, api.client, () => write("b"), true);
    await change(quiet, api.client, () => ({ outcome: "nothing", said: "Nothing to do." }), false);
    await assert.rejects(
      () => change(quiet, api.client, () => ({ outcome: "refused", said: "No." }), false),
      {
        code: "CLI_UPDATE_REFUSED",
        message: "No.",
      },
    );
    assert.equal(await channelNow(), "a");
    await change(quiet, api.client, () => write("b"), false);
    assert.equal(await channelNow(), "b");
    const managers = (await api.client.get(KIND, NAMED))?.metadata.managedFields?.map(
      ({ manager }) => manager,
    );
    assert.ok(managers?.includes("reveille-cli"), managers?.join());
  });

  it("is not written over what somebody else wrote meanwhile", async () => {
    let meanwhile = true;
    const client = wrapClient(api.client, async (request, send) => {
      if (request.write && meanwhile) {
        meanwhile = false;
        await api.client.patch(
          KIND,
          NAMED,
          "merge",
          { spec: { channel: "theirs" } },
          { fieldManager: "them" },
        );
      }
      return send();
    });
    await assert.rejects(() => change(quiet, client, () => write("ours"), false), {
      code: "CLI_CLUSTER_VERSION_CHANGED",
    });
    assert.equal(await channelNow(), "theirs");
  });

  it("is refused with the server's words where the server refuses it", async () => {
    const architecture = {
      outcome: "write",
      spec: { channel: 5 as unknown as string },
      said: "",
      warnings: [],
    } as const;
    await assert.rejects(() => change(quiet, api.client, () => architecture, false), {
      code: "CLI_UPDATE_REFUSED",
    });
  });
});
