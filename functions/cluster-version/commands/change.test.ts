import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { installKinds } from "../../../infra/testing/stack.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import { defineSystem, each } from "../../../shared/function/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ClusterVersion } from "../kinds/index.ts";
import { change } from "./change.ts";
import { readVersion, type Version } from "./read.ts";
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

  /** A client beside whose first write somebody else changes the object. */
  const besides = (patch: Readonly<Record<string, unknown>>) => {
    let meanwhile = true;
    return wrapClient(api.client, async (request, send) => {
      if (request.write && meanwhile) {
        meanwhile = false;
        await api.client.patch(KIND, NAMED, "merge", patch, { fieldManager: "them" });
      }
      return send();
    });
  };

  it("is not written over what somebody else wrote meanwhile", async () => {
    const client = besides({ spec: { channel: "theirs" } });
    await assert.rejects(() => change(quiet, client, () => write("ours"), false), {
      code: "CLI_CLUSTER_VERSION_CHANGED",
    });
    assert.equal(await channelNow(), "theirs");
  });

  it("is decided anew and written where only something else of the object changed meanwhile", async () => {
    const client = besides({ metadata: { annotations: { "example.com/seen": "yes" } } });
    const seen: (string | undefined)[] = [];
    const decide = (version: Version): Outcome => {
      seen.push(version.metadata.annotations?.["example.com/seen"]);
      return write("ours");
    };
    await change(quiet, client, decide, false);
    assert.equal(await channelNow(), "ours");
    assert.deepEqual(seen, [undefined, "yes"]);
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
