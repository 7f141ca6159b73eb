import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import { wrapClient } from "../../../infra/testing/wrapped-client.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { Cluster, ClusterClass, ClusterStackRelease } from "../kinds/index.ts";
import { type Stage, startStage, TEAM, tag } from "./stage.ts";

/** A deed at the moment at which a kind's object is about to be deleted. */
interface Deed {
  readonly kind: string;
  act(): Promise<void>;
}

/** The client of functions; the deed is done once, before the request that it waits for. */
const interrupted = (client: KubeClient, next: () => Deed | undefined): KubeClient => ({
  ...wrapClient(client, (_, send) => send()),
  get requests() {
    return client.requests;
  },
  delete: async (...args) => {
    const deed = next();
    if (args[0].kind === deed?.kind) await deed.act();
    return client.delete(...args);
  },
});

describe("scenario 20: a Cluster that is made to use a release while it is taken away", () => {
  let s: Stage;
  let deed: Deed | undefined;
  beforeAll(async () => {
    s = await startStage({ api: "local", engineClient: (client) => interrupted(client, () => deed) });
  });
  beforeEach(() => s.empty());
  afterAll(() => s.stop());
  const classes = (...versions: readonly string[]): readonly string[] => [
    ...versions.map((version) => `ClusterClass ${version}`),
    ...versions.map((version) => `DockerClusterTemplate ${version}-cluster`),
  ];
  const demo = { name: "demo", namespace: TEAM };

  for (const [name, kind] of [
    ["between the decision and the deletion, keeps it", ClusterStackRelease.kind],
    ["when its ClusterClass is about to go, has it back", ClusterClass.kind],
  ] as const)
    test(name, async () => {
      await s.publish("v1", "v2");
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      let uses = 0;
      deed = {
        kind,
        act: async () => {
          deed = undefined;
          uses += 1;
          await s.put(Cluster, demo, { spec: { topology: { class: tag("v1") } } });
        },
      };
      await s.wants({ versions: ["v2"], autoSubscribe: false });
      assert.equal(uses, 1);
      assert.ok((await s.release("v1"))?.metadata.deletionTimestamp !== undefined, "it waits for its user");
      assert.deepEqual(await s.classes(), classes("v1", "v2"));
      assert.equal((await s.says()).usableVersions, "v2");
      await s.remove(Cluster, demo);
      await s.until("it to go with its user", async () => (await s.there()).join() === "v2");
      assert.deepEqual(await s.classes(), classes("v2"));
    });
});
