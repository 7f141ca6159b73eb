import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { faces } from "../../infra/local/faces/index.ts";
import { type LocalApi, startLocalApi } from "../../infra/local/index.ts";
import {
  type ControlPlane,
  requireControlPlane,
  skipWithoutControlPlane,
  startControlPlane,
} from "../../infra/testing/control-plane.ts";
import { judgement } from "./built-in/judge.ts";
import { network } from "./built-in/network.ts";
import { of } from "./built-in/object.ts";
import { rest } from "./built-in/rest.ts";
import { work } from "./built-in/work.ts";
import { Api } from "./target.ts";

/** Refused by both, but told in other words: the schema of the local API speaks first, and of the field itself. */
const inOtherWords = new Set([
  "an Ingress's path without a type",
  "a StatefulSet of an unknown order",
  "a StatefulSet of an unknown roll-out",
  "a Deployment of an unknown strategy",
  "a DaemonSet of an unknown roll-out",
  "a quota with an unknown scope",
  "a quota that selects by an unknown operator",
  "a quota that selects by an unknown scope",
  "a claim with an unknown mode",
  "a Pod with a privileged but careful container",
]);

describe("built-in objects are judged as by the real API server", {
  skip: skipWithoutControlPlane() !== false,
}, () => {
  let plane: ControlPlane;
  let server: LocalApi;
  let real: Api;
  let local: Api;
  beforeAll(async () => {
    [plane, server] = await Promise.all([startControlPlane(), startLocalApi({ faces })]);
    real = new Api(plane);
    local = new Api({ url: server.url, token: server.clientOptions.token, ca: server.clientOptions.ca });
  });
  afterAll(async () => {
    real?.close();
    local?.close();
    await server?.close();
    await plane?.stop();
  });

  for (const [name, object] of Object.entries({ ...network, ...work, ...rest }))
    test(name, async () => {
      const [theirs, ours] = await Promise.all([judgement(real, object), judgement(local, object)]);
      if (inOtherWords.has(name)) assert.equal(ours[0], theirs[0]);
      else assert.deepEqual(ours, theirs);
    });
});

describe("accounts of pods are looked for as by the real API server", {
  skip: skipWithoutControlPlane({ controllerManager: true }) !== false,
}, () => {
  test("a pod of an account that does not exist is forbidden", async (t) => {
    const plane = await requireControlPlane(t, { controllerManager: true });
    if (plane === undefined) return;
    const server = await startLocalApi({ faces });
    const real = new Api(plane);
    const local = new Api({
      url: server.url,
      token: server.clientOptions.token,
      ca: server.clientOptions.ca,
    });
    t.onTestFinished(() => {
      real.close();
      local.close();
      return server.close();
    });
    const spec = { serviceAccountName: "ghost", containers: [{ name: "c", image: "i" }] };
    const [theirs, ours] = await Promise.all(
      [real, local].map((api) => judgement(api, of("v1", "Pod", { spec }))),
    );
    assert.deepEqual(ours, theirs);
    assert.equal(ours?.[0], "403");
  });
});
