import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { body, json, place, playedServers, widgets, writer } from "../../../infra/testing/played-server.ts";
import type { KubeClient } from "../client.ts";
import { KubeError } from "../errors.ts";

const { serve, connect } = playedServers();

const REQUESTS: Readonly<Record<string, (client: KubeClient) => Promise<unknown>>> = {
  get: (client) => client.get(widgets, place),
  list: (client) => client.list(widgets),
  delete: (client) => client.delete(widgets, place, { uid: undefined }),
  apply: (client) => client.apply(widgets, place, body, writer),
  discover: (client) => client.discover("bench.example.org", "v1"),
};

describe("a success that no API server gives", () => {
  for (const answer of [null, 5, [], { message: "back at 8" }, { metadata: null, items: null }])
    for (const [verb, send] of Object.entries(REQUESTS))
      it(`says nothing to ${verb}: ${JSON.stringify(answer)}`, async () => {
        const { url } = await serve(json(200, answer));
        await assert.rejects(
          send(connect(url)),
          (thrown) =>
            thrown instanceof KubeError && thrown.kind === "unavailable" && thrown.code === "KUBE_NOT_JSON",
        );
      });

  it("is no empty list, whatever it has beside items", async () => {
    for (const answer of [{ metadata: {} }, { metadata: {}, items: {} }, { metadata: {}, items: [null] }]) {
      const { url } = await serve(json(200, answer));
      await assert.rejects(connect(url).list(widgets), /no list of Kubernetes/);
    }
  });

  it("is not what Go makes of an empty list", async () => {
    const { url } = await serve(json(200, { metadata: { resourceVersion: "1" }, items: null }));
    assert.deepEqual((await connect(url).list(widgets)).items, []);
  });
});
