import assert from "node:assert/strict";
import { test } from "vitest";
import { KubeError, type KubeErrorKind } from "./errors.ts";
import { formerOf, HomeMissingError, inHome } from "./home.ts";

const failing = (kind: KubeErrorKind) => new KubeError(kind, kind, { request: "POST /" });
const made = { apiVersion: "v1", kind: "Namespace", metadata: { name: "home" } };

/** A write that finds its namespace once it was made. */
function world(answer: KubeErrorKind | undefined) {
  let isThere = false;
  const client = {
    create: async () => {
      if (answer !== undefined && answer !== "exists") throw failing(answer);
      isThere = true;
      if (answer === "exists") throw failing(answer);
      return made;
    },
  };
  const write = async () => {
    if (!isThere) throw failing("missing");
    return made;
  };
  return inHome(client, "home", write);
}

test("a namespace that is not there is made, and one that somebody else made meanwhile is taken", async () => {
  assert.equal(await world(undefined), made);
  assert.equal(await world("exists"), made);
});

test("who may not make it is told what to do", async () => {
  await assert.rejects(world("forbidden"), (error: unknown) => {
    assert.ok(error instanceof HomeMissingError);
    assert.equal(error.code, "HOME_MISSING");
    assert.match(error.message, /kubectl create namespace home/);
    return true;
  });
});

test("any other failure is the write's own", async () => {
  await assert.rejects(world("unavailable"), { kind: "unavailable" });
  const refused = inHome({ create: async () => made }, "home", () => Promise.reject(failing("stale")));
  await assert.rejects(refused, { kind: "stale" });
});

test("whoever lives where all lived before looks nowhere else", () => {
  assert.equal(formerOf("default"), undefined);
  assert.equal(formerOf("release"), "default");
});
