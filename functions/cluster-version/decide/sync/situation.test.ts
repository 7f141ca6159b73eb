import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterVersionView, DesiredUpdate, HistoryEntry } from "../release/index.ts";
import { situationOf } from "./situation.ts";

const ID = "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11";
const OWN = { version: "1.0.0", image: "one" };
const done = (version: string, image: string): HistoryEntry => ({ state: "Completed", version, image });
const begun = (version: string, image: string): HistoryEntry => ({ state: "Partial", version, image });
const look = (
  desiredUpdate: DesiredUpdate | undefined,
  history: readonly HistoryEntry[],
  {
    initial = OWN,
    clusterID = ID,
    more = {},
  }: {
    readonly initial?: { readonly version: string; readonly image: string };
    readonly clusterID?: string;
    readonly more?: ClusterVersionView["status"];
  } = {},
) => {
  const view: ClusterVersionView = {
    spec: { clusterID, ...(desiredUpdate !== undefined && { desiredUpdate }) },
    status: { history, ...more },
  };
  const { current, candidate, notFound, invalid } = situationOf(view, initial);
  return {
    current: current?.image,
    candidate: candidate?.image,
    ...(candidate?.local === true && { local: true }),
    ...(notFound !== undefined && { notFound: notFound.reason }),
    ...(invalid !== undefined && { invalid: true }),
  };
};
const FRESH = { current: undefined, candidate: undefined };

describe("what a ClusterVersion asks for", () => {
  test("a cluster is installed with its own release, else with what is asked for", () => {
    assert.deepEqual(look(undefined, []), { ...FRESH, candidate: "one", local: true });
    assert.deepEqual(look({ image: "two" }, []), { ...FRESH, candidate: "one", local: true });
    const none = { initial: { version: "", image: "" } };
    assert.deepEqual(look({ image: "two" }, [], none), { ...FRESH, candidate: "two", local: true });
    assert.deepEqual(look(undefined, [], none), FRESH);
  });

  test("during the first installation another release is not looked at", () => {
    assert.deepEqual(look({ image: "two" }, [begun("1.0.0", "one")]), {
      current: "one",
      candidate: undefined,
    });
  });

  test("scenario 28: an id that is none does not keep a cluster from being installed", () => {
    assert.deepEqual(look(undefined, [], { clusterID: "x" }), {
      ...FRESH,
      candidate: "one",
      local: true,
      invalid: true,
    });
  });

  test("another image is a candidate until it is the newest of the history", () => {
    assert.deepEqual(look({ image: "two" }, [done("1.0.0", "one")]), { current: "one", candidate: "two" });
    const moving = [begun("2.0.0", "two"), done("1.0.0", "one")];
    assert.deepEqual(look({ image: "two" }, moving), { current: "two", candidate: undefined });
    assert.deepEqual(look({ image: "two", version: "2.0.0" }, moving), {
      current: "two",
      candidate: undefined,
    });
    assert.deepEqual(look({ image: "two", version: "3.0.0" }, moving), { current: "two", candidate: "two" });
  });

  test("scenario 20: a request that is taken back leads to what was last completed", () => {
    const moving = [begun("2.0.0", "two"), done("1.0.0", "one")];
    assert.deepEqual(look(undefined, moving), { current: "two", candidate: "one", local: true });
    assert.deepEqual(look(undefined, [done("2.0.0", "two")]), { current: "two", candidate: undefined });
  });

  test("scenario 26: a request that cannot be followed leaves what was begun alone", () => {
    const moving = [begun("2.0.0", "two"), done("1.0.0", "one")];
    assert.deepEqual(look({ version: "9.9.9" }, moving), {
      current: "two",
      candidate: undefined,
      invalid: true,
    });
  });

  test("a version that only the history knows is told as not found", () => {
    const history = [done("2.0.0", "two"), done("1.0.0", "one")];
    assert.deepEqual(look({ version: "1.0.0" }, history), {
      current: "two",
      candidate: undefined,
      notFound: "VersionNotFound",
    });
  });

  test("a version that is offered has its image from there", () => {
    const more = { availableUpdates: [{ version: "2.0.0", image: "two" }] };
    assert.deepEqual(look({ version: "2.0.0" }, [done("1.0.0", "one")], { more }), {
      current: "one",
      candidate: "two",
    });
  });
});
