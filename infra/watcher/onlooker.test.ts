import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { describe, it } from "vitest";
import { Hints } from "../../shared/hints/hints.ts";
import { configMaps, until, WatchedCluster, widgets } from "../testing/watched-cluster.ts";

const place = (name: string) => ({ namespace: "default", name });
const subject = (name: string, kind = "Widget"): string =>
  kind === "Widget" ? `bench.example.org/Widget/default/${name}` : `/${kind}/default/${name}`;
const lease = { namespace: "default", name: "reveille-watcher", duration: 60_000, deadline: 600, renew: 50 };

describe("a watcher tells its onlooker", () => {
  it("whole objects that pass, and only those", async (t) => {
    const cluster = await WatchedCluster.start(t);
    cluster.server.put("widgets", place("a"), { spec: { value: 1, note: "whole" } });
    cluster.server.put("configmaps", place("b"), { data: { secret: "x" } });
    const hints = new Hints();
    await cluster.settled({ watchList: { kinds: [widgets, configMaps] }, onlooker: hints });
    assert.deepEqual(hints.get(subject("a"))?.spec, { value: 1, note: "whole" });
    assert.equal(hints.get(subject("b", "ConfigMap")), undefined);
    cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
    await until(
      () => isDeepStrictEqual(hints.get(subject("a"))?.spec, { value: 2 }),
      "the change to be seen",
    );
  });

  it("what is gone, whether it was seen to end or a list lacks it", async (t) => {
    const cluster = await WatchedCluster.start(t);
    for (const name of ["a", "b"]) cluster.server.put("widgets", place(name), { spec: { value: 1 } });
    const hints = new Hints();
    const watcher = await cluster.settled({ onlooker: hints });
    const last = hints.get(subject("b")) ?? assert.fail("b was not seen");
    cluster.server.remove("widgets", place("a"));
    await until(() => hints.get(subject("a")) === undefined, "the end to be seen");
    await watcher.stop();
    cluster.server.remove("widgets", place("b"));
    await cluster.settled({ onlooker: hints });
    assert.equal(hints.get(subject("b")), undefined);
    hints.saw(subject("b"), last);
    assert.equal(hints.get(subject("b")), undefined, "a late answer does not bring it back");
  });

  it("the same where another watcher publishes it", async (t) => {
    const cluster = await WatchedCluster.start(t);
    cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
    await cluster.settled({ identity: "first", lease, ledger: { file: ":memory:" } });
    const hints = new Hints();
    const standby = cluster.watch({
      identity: "second",
      lease,
      ledger: { file: ":memory:" },
      onlooker: hints,
    });
    await until(() => hints.get(subject("a")) !== undefined, "the standby to see it");
    cluster.server.remove("widgets", place("a"));
    await until(() => hints.get(subject("a")) === undefined, "the end to be seen");
    assert.equal(standby.position().leader, false);
  });
});
