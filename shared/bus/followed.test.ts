import assert from "node:assert/strict";
import { test } from "vitest";
import { connectionObject, foundAnyhow, foundIn } from "../kube/cluster-names.ts";
import { followedIn, newlyFollowed } from "./followed.ts";

const connection = (state: "reachable" | "unreachable") => {
  const { apiVersion, kind, name } = connectionObject("@runtime:rt-1", state);
  const [group = "", version] = apiVersion.split("/");
  return { cluster: "home", group, version, kind, name };
};
const [found, missed] = [connection("reachable"), connection("unreachable")];
const part = (version: string | undefined) => ({
  cluster: "home@runtime:rt-1",
  group: "parts.example.org",
  version,
  kind: "Part",
  name: "a",
});

test("a connection that was found away begins to be waited for, whatever was found before; another object does once", () => {
  assert.deepEqual(newlyFollowed([missed], [found]), [missed]);
  assert.deepEqual(newlyFollowed([found], [found]), []);
  assert.deepEqual(newlyFollowed([part("v2"), part(undefined)], [part("v1")]), []);
  assert.deepEqual(newlyFollowed([part("v1")], [part(undefined)]), [part("v1")]);
});

test("who found a connection there and who found it away both count, and of another object one", () => {
  assert.deepEqual(followedIn([found, missed, found, part("v1"), part("v2")]), [found, missed, part("v2")]);
});

test("what may be older than it says is as if it had been found away", () => {
  assert.deepEqual([found, missed].map(foundIn), ["reachable", "unreachable"]);
  assert.deepEqual([found, missed].map(foundAnyhow).map(foundIn), ["reachable", undefined]);
  assert.deepEqual(foundAnyhow(part("there")), part("there"));
});
