import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeObject } from "../kube/object.ts";
import { OwnWrites } from "./own-writes.ts";

const jar = (resourceVersion: string, uid = "u"): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Jar",
  metadata: { name: "one", namespace: "a", uid, resourceVersion },
});
const key = { function: "fill", key: "one" };
function kept(): OwnWrites<string> {
  const own = new OwnWrites<string>();
  own.read(jar("1"), ({ metadata }) => metadata.resourceVersion);
  return own;
}

describe("the own writes of a process", () => {
  it("are known by uid and version once their answer came", () => {
    const own = kept();
    const sending = own.run(key).sends("u");
    assert.ok(own.isUnderWay("u"));
    sending.wrote(jar("7"));
    sending.ended();
    assert.equal(own.isUnderWay("u"), false);
    assert.deepEqual(own.find("u", "7"), { by: key, seen: "7" });
    assert.deepEqual([own.find("u", "8"), own.find("v", "7")], [undefined, undefined]);
    own.forget("u", "7");
    assert.ok(own.isIdle);
  });

  it("are not remembered of kinds that nobody watches", () => {
    const own = kept();
    const sending = own.run(key).sends("u");
    sending.wrote({ ...jar("7"), apiVersion: "unit.example.org/v2" });
    sending.ended();
    assert.ok(own.isIdle);
  });

  it("are forgotten when their key runs again, and only those of that key", () => {
    const own = kept();
    own.run(key).sends("u").wrote(jar("7"));
    own
      .run({ ...key, key: "two" })
      .sends("v")
      .wrote(jar("8", "v"));
    own.run(key);
    assert.deepEqual([own.find("u", "7"), own.find("v", "8")?.seen], [undefined, "8"]);
  });

  it("do not count after the run has ended, nor where its end is not acknowledged", () => {
    const own = kept();
    const late = own.run(key);
    const sending = late.sends("u");
    late.ended(true);
    sending.wrote(jar("7"));
    assert.equal(own.size, 0);
    const lost = own.run(key);
    lost.sends("u").wrote(jar("8"));
    lost.ended(false);
    assert.equal(own.size, 0);
  });

  it("do not count where they were sent before all was forgotten", () => {
    const own = kept();
    const sending = own.run(key).sends("u");
    own.forgetAll();
    sending.wrote(jar("7"));
    sending.ended();
    assert.ok(own.isIdle);
  });

  it("tell whoever waits of each end, as long as it wants to hear", () => {
    const own = kept();
    const run = own.run(key);
    const [one, two] = [run.sends("u"), run.sends("u")];
    let ends = 0;
    const stop = own.onEnd("u", () => ends++);
    one.ended();
    assert.deepEqual([ends, own.isUnderWay("u")], [1, true]);
    stop();
    two.ended();
    assert.deepEqual([ends, own.isUnderWay("u")], [1, false]);
  });

  it("are bounded in number, whoever wrote them", () => {
    const own = kept();
    for (let one = 1; one <= 10_000; one++)
      own
        .run({ ...key, key: `${one}` })
        .sends(`${one}`)
        .wrote(jar("7", `${one}`));
    assert.equal(own.size, 4_096);
    assert.deepEqual([own.find("1", "7"), own.find("10000", "7")?.seen], [undefined, "7"]);
  });
});
