import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { KubeObject } from "../object.ts";
import { ItemIndex } from "./list-index.ts";
import { AppliedMemo } from "./memo.ts";
import { prepareApply } from "./prepare.ts";
import { wouldChange } from "./would-change.ts";

/** The same value, counting how often anything of it is looked at. */
function counted<T extends object>(value: T, count: { looks: number }): T {
  const proxies = new WeakMap<object, object>();
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const known = proxies.get(inner);
    if (known !== undefined) return known;
    const proxy = new Proxy(inner, {
      get: (target, name) => {
        count.looks += 1;
        return wrap(Reflect.get(target, name));
      },
    });
    proxies.set(inner, proxy);
    return proxy;
  };
  return wrap(value) as T;
}

type Shape = (length: number) => { readonly items: readonly unknown[]; readonly fields: object };
const fieldsOf = (keys: readonly object[]): object =>
  Object.fromEntries(
    keys.map((key) => [
      `k:${JSON.stringify(key)}`,
      { ".": {}, ...Object.fromEntries(Object.keys(key).map((name) => [`f:${name}`, {}])) },
    ]),
  );
const numbers = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);
const shapes: Readonly<Record<string, Shape>> = {
  "items with a name": (length) => {
    const items = numbers(length).map((index) => ({ name: `V${index}` }));
    return { items, fields: fieldsOf(items) };
  },
  "items with a key of two fields": (length) => {
    const items = numbers(length).map((index) => ({ port: index, protocol: "TCP" }));
    return { items, fields: fieldsOf(items) };
  },
  "a set": (length) => ({
    items: numbers(length).map((index) => `v${index}`),
    fields: Object.fromEntries(numbers(length).map((index) => [`v:"v${index}"`, {}])),
  }),
  // Nobody's schema makes such fields, but whoever writes an object may write its managedFields.
  "keys that are all of another shape": (length) => ({
    items: numbers(length).map((index) => ({ [`n${index}`]: "x" })),
    fields: fieldsOf(numbers(length).map((index) => ({ [`n${index}`]: "x" }))),
  }),
};

const OURS = { fieldManager: "ours", custom: false } as const;
const objectOf = (list: readonly unknown[]): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "x", namespace: "a" },
  spec: { list },
});
function liveOf({ items, fields }: ReturnType<Shape>): KubeObject {
  const object = structuredClone(objectOf(items));
  const entry = { manager: "ours", operation: "Apply", apiVersion: "v1" } as const;
  const fieldsV1 = { "f:spec": { "f:list": fields } };
  return { ...object, metadata: { ...object.metadata, uid: "u", managedFields: [{ ...entry, fieldsV1 }] } };
}

const works: Readonly<Record<string, (desired: KubeObject, live: KubeObject) => void>> = {
  wouldChange: (desired, live) => void wouldChange(desired, live, OURS),
  "AppliedMemo.note": (desired, live) => new AppliedMemo().note({ ...desired, extra: "differs" }, live, OURS),
  prepareApply: (desired, live) => void prepareApply(desired, { custom: false, live }),
};

describe("what is decided over a list takes as long as the list is", () => {
  for (const [what, work] of Object.entries(works))
    for (const [name, shape] of Object.entries(shapes))
      it(`${what}: ${name}`, () => {
        const looksFor = (length: number): number => {
          const count = { looks: 0 };
          const made = shape(length);
          work(counted(objectOf(made.items), count), counted(liveOf(made), count));
          return count.looks;
        };
        const few = looksFor(300);
        const many = looksFor(3_000);
        assert.ok(many < few * 15, `${few} looks for 300 items, ${many} for 3,000`);
      });
});

it("what is decided over empty lists takes as long as they and the managers are many", () => {
  const looksFor = (length: number): number => {
    const count = { looks: 0 };
    const names = numbers(length).map((index) => `n${index}`);
    const all = (value: unknown): object => Object.fromEntries(names.map((name) => [name, value]));
    const { metadata, ...live } = objectOf([]);
    const entry = { operation: "Apply", apiVersion: "v1" } as const;
    const managedFields = names.map((manager) => ({
      ...entry,
      manager,
      fieldsV1: { "f:spec": { [`f:${manager}`]: { "v:1": {} } } },
    }));
    const ours = { ...entry, manager: "ours", fieldsV1: { "f:spec": { "f:a": {} } } };
    const desired = { ...objectOf([]), spec: { a: 1, ...all([]) } };
    const standing = {
      ...live,
      metadata: { ...metadata, uid: "u", managedFields: [ours, ...managedFields] },
      spec: { a: 1, ...all([1]) },
    };
    assert.equal(wouldChange(counted(desired, count), counted(standing, count), OURS), false);
    return count.looks;
  };
  const few = looksFor(300);
  const many = looksFor(3_000);
  assert.ok(many < few * 15, `${few} looks for 300, ${many} for 3,000`);
});

describe("an index of items", () => {
  it("finds an item by its key, also where a field of the key is left to its default", () => {
    const items = [{ port: 80, protocol: "UDP" }, { port: 80 }, { port: 443 }, "no item"];
    const index = new ItemIndex(items, true);
    const tcp = { port: 80, protocol: "TCP" };
    assert.deepEqual(index.find(tcp), []);
    assert.deepEqual(
      index.find(tcp, (name) => name === "protocol"),
      [1],
    );
    assert.deepEqual(index.find({ protocol: "UDP", port: 80 }), [0]);
    assert.deepEqual(new ItemIndex(items).find({ port: 443 }), [2]);
    assert.deepEqual(new ItemIndex([{ a: 1 }, { a: 1 }]).find({ a: 1 }), [0, 1]);
  });

  it("knows no answer once keys of ever other shapes are asked for", () => {
    const index = new ItemIndex([{ a: 1 }]);
    for (const at of numbers(16)) index.find({ [`k${at}`]: 1 });
    assert.equal(index.find({ another: 1 }), undefined);
  });
});
