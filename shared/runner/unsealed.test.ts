import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Sealed } from "../function/sealed.ts";
import { unsealed } from "./unsealed.ts";

const SECRET = { group: "", kind: "Secret" };
const MAP = { group: "", kind: "ConfigMap" };

describe("what is sealed", () => {
  it("is opened where its kind holds such values, as that field says them", () => {
    const key = new Sealed("a");
    assert.deepEqual(unsealed(SECRET, { data: { key, other: "Yg==" } }), {
      data: { key: "YQ==", other: "Yg==" },
    });
    assert.deepEqual(unsealed(MAP, { data: { key }, binaryData: { other: key } }), {
      data: { key: "a" },
      binaryData: { other: "YQ==" },
    });
  });

  it.each([
    ["a Secret's stringData", SECRET, { stringData: { key: new Sealed("a") } }],
    ["below a value", SECRET, { data: { key: { deep: new Sealed("a") } } }],
    ["in the place of a map", MAP, { data: new Sealed("a") }],
    ["of another group", { group: "example.org", kind: "Secret" }, { data: { key: new Sealed("a") } }],
    ["a text that is none", MAP, { data: { key: new Sealed(Buffer.from([0xff])) } }],
  ])("is refused elsewhere: %s", (_, kind, fields) => {
    assert.throws(() => unsealed(kind, fields), { code: "SEALED_ELSEWHERE" });
  });
});
