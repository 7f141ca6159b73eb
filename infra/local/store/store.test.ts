import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { Store, StoreError } from "./store.ts";

const text = (name: string) => (version: string) =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}","resourceVersion":"${version}"}}`;

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "store-"));
  t.onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("versions go on rising after a restart, and the changes are still there", (t) => {
  const path = join(folder(t), "objects.db");
  const first = new Store(path);
  const { resourceVersion } = first.put("/configmaps", "default/a", text("a"));
  first.remove("/configmaps", "default/a", text("a"));
  first.close();
  const second = new Store(path);
  t.onTestFinished(() => second.close());
  assert.deepEqual(
    second.since("/configmaps", resourceVersion - 1).map((event) => event.type),
    ["ADDED", "DELETED"],
  );
  assert.equal(second.put("/configmaps", "default/b", text("b")).resourceVersion, resourceVersion + 2);
});

test("a scan at an earlier version sees what was there then, in order", (t) => {
  const store = new Store(":memory:");
  t.onTestFinished(() => store.close());
  for (const name of ["b", "c", "e"]) store.put("/x", `n/${name}`, text(name));
  const then = store.version;
  store.put("/x", "n/a", text("a"));
  store.remove("/x", "n/c", text("c"));
  store.put("/x", "n/b", text("changed"));
  store.put("/x", "n/d", text("d"));
  store.remove("/x", "n/e", text("e"));
  const names = (version: number, after = ""): string[] =>
    [...store.scan("/x", "n/", after, version)].map(
      (one) => `${one.key} ${JSON.parse(one.text).metadata.name}`,
    );
  assert.deepEqual(names(then), ["n/b b", "n/c c", "n/e e"]);
  assert.deepEqual(names(then, "n/b"), ["n/c c", "n/e e"]);
  assert.deepEqual(names(store.version), ["n/a a", "n/b changed", "n/d d"]);
});

test("only the window is kept", (t) => {
  const store = new Store(":memory:", { events: 8, bytes: 1_000_000 });
  t.onTestFinished(() => store.close());
  for (let count = 0; count < 40; count++) store.put("/x", `n/${count}`, text("x"));
  assert.ok(store.trimmed >= store.version - 10 && store.trimmed <= store.version - 8);
  assert.equal(store.since("/x", store.trimmed).length, store.version - store.trimmed);
  assert.equal(store.list("/x", "n/").length, 40);
});

test("large changes make the window smaller", (t) => {
  const store = new Store(":memory:", { events: 1000, bytes: 10_000 });
  t.onTestFinished(() => store.close());
  const large = (version: string): string => JSON.stringify({ version, filler: "x".repeat(900) });
  for (let count = 0; count < 100; count++) store.put("/x", "n/one", large);
  assert.ok(store.version - store.trimmed <= 8, `${store.version - store.trimmed} kept`);
});

test("namespaces whose names begin alike do not mix", (t) => {
  const store = new Store(":memory:");
  t.onTestFinished(() => store.close());
  for (const key of ["a/x", "a-b/x", "ab/x"]) store.put("/x", key, text("x"));
  assert.deepEqual(
    store.list("/x", "a/").map((one) => one.key),
    ["a/x"],
  );
});

test("a folder that cannot be written is a clear error", (t) => {
  const file = join(folder(t), "file");
  writeFileSync(file, "");
  assert.throws(
    () => new Store(join(file, "objects.db")),
    (error) => error instanceof StoreError && /cannot keep its objects in/.test(error.message),
  );
});

test("kill -9 in the middle of writes loses no object without its event, and no event without its object", async (t) => {
  const path = join(folder(t), "objects.db");
  const script = `
    import { Store } from ${JSON.stringify(new URL("./store.ts", import.meta.url).href)};
    const store = new Store(${JSON.stringify(path)});
    for (let count = 0; ; count++) {
      const key = "n/" + (count % 50);
      const write = (version) => JSON.stringify({ version, count });
      if (count % 7 === 6 && store.get("/x", key) !== undefined) store.remove("/x", key, write);
      else store.put("/x", key, write);
      if (count === 300) console.log("busy");
    }`;
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = new Store(path);
    const latest = new Map(store.since("/x", store.trimmed).map((event) => [event.key, event]));
    for (const [key, event] of latest) {
      assert.equal(store.get("/x", key), event.type === "DELETED" ? undefined : event.text);
    }
    const last = [...latest.values()].reduce((top, event) => Math.max(top, event.resourceVersion), 0);
    assert.equal(store.version, last);
    store.close();
  }
});
