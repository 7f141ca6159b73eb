import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { ApiError } from "../../api-error.ts";
import { builtInTypes } from "../../builtin/index.ts";
import { isObject } from "../../json.ts";
import { decodeProtobuf } from "./decode.ts";
import { hasMessage } from "./table.ts";

/** What client-go sends, and what Go prints of the same object: see `infra/protobuf/record/`. */
const recorded = readFileSync(join(import.meta.dirname, "recorded.txt"), "utf8")
  .trim()
  .split("\n");

/** A time that is not set and an empty list are in Go's JSON, but nothing on the wire. */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent);
  if (!isObject(value)) return value;
  const isSent = (inner: unknown): boolean => inner !== null && !(Array.isArray(inner) && inner.length === 0);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (isSent(inner) ? [[name, asSent(inner)]] : [])),
  );
}

const varint = (number: number): readonly number[] =>
  number < 128 ? [number] : [(number & 127) | 128, ...varint(Math.floor(number / 128))];
/** A message of fields that hold bytes. */
const message = (...fields: readonly (readonly [number, string | Uint8Array])[]): Buffer =>
  Buffer.concat(
    fields.map(([number, value]) => {
      const bytes = Buffer.from(value);
      return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
    }),
  );
const body = (apiVersion: string, kind: string, raw: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from("k8s\0"), message([1, message([1, apiVersion], [2, kind])], [2, raw])]);

for (const [index, line] of recorded.entries()) {
  const [kind = "", base64 = "", json = ""] = line.split("\t");
  test(`reads the ${kind} in line ${index + 1} of what Go clients sent`, () => {
    const { metadata = {}, ...expected } = asSent(JSON.parse(json)) as Record<string, unknown>;
    assert.deepEqual(decodeProtobuf(Buffer.from(base64, "base64")), { ...expected, metadata });
  });
}

test("has a message for every built-in kind", () => {
  const packages: Readonly<Record<string, string>> = { "": "core" };
  for (const { group, version, kind } of builtInTypes)
    assert.ok(hasMessage(`${packages[group] ?? group.split(".")[0]}.${version}.${kind}`), `${group} ${kind}`);
});

test("says nothing of kinds that it has no message for", () => {
  assert.equal(decodeProtobuf(body("example.org/v1", "Thing", message())), undefined);
  assert.equal(decodeProtobuf(body("v1", "constructor", message())), undefined);
});

test("drops fields of newer clients, and keeps the rest", () => {
  assert.deepEqual(decodeProtobuf(body("v1", "ConfigMap", message([15, "new"], [1, message([1, "a"])]))), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
  });
});

test("refuses broken bytes as a fault of the body", () => {
  const refused = (bytes: Uint8Array, why: RegExp): void =>
    assert.throws(
      () => decodeProtobuf(bytes),
      (error) => error instanceof ApiError && error.status.code === 400 && why.test(error.message),
    );
  refused(Buffer.from("{}"), /expected prefix/);
  refused(body("v1", "ConfigMap", Buffer.from([0x0a, 99, 0x61])), /longer than its message/);
  refused(body("v1", "ConfigMap", Buffer.from([0x08, 0xff])), /does not end/);
  refused(body("v1", "ConfigMap", Buffer.from([0x0b])), /wire type 3/);
  refused(body("v1", "ConfigMap", message([1, message([1, Buffer.from([0xff])])])), /not UTF-8/);
  refused(body("v1", "ConfigMap", Buffer.from([0x08, 1])), /bytes are expected/);
  let schema = message([5, "object"]);
  for (let depth = 0; depth < 300; depth++) schema = message([28, schema]);
  const version = message([1, "v1"], [4, message([1, schema])]);
  refused(
    body("apiextensions.k8s.io/v1", "CustomResourceDefinition", message([2, message([7, version])])),
    /nests deeper/,
  );
});

test("keeps every key of a map its own", () => {
  const entry = message([1, "__proto__"], [2, "x"]);
  const object = decodeProtobuf(body("v1", "ConfigMap", message([2, entry])));
  assert.ok(isObject(object?.data) && Object.hasOwn(object.data, "__proto__"));
});
