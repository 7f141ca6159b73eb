import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { defineSystem, hook, setStatus } from "../../shared/function/index.ts";
import { generatedFiles } from "../deploy/generated.ts";
import { Toy, Workshop } from "../testing/toy-system.ts";
import { extensionConfig } from "./extension-config.ts";
import { admissionGrants } from "./rbac.ts";

const options = { request: z.object({ toy: z.string() }), response: z.object({ go: z.boolean() }) };
const shop = hook({
  ...options,
  name: "before-sale",
  requestHook: { apiVersion: "hooks.example.org/v1", hook: "BeforeSale" },
}).function({
  reads: [Workshop],
  writes: [Toy],
  verbs: { Toy: ["get", "patch"] },
  observe: async ({ request, read }) => ({
    toy: await read.get(Toy, { name: request.toy, namespace: "shop" }),
  }),
  store: ({ toy }) => toy && setStatus(Toy, toy, { made: true }),
  answer: ({ toy }) => ({ go: toy?.status?.made === true }),
});
const other = hook({ ...options, name: "other" }).function({
  storesNothing: "it always says no",
  answer: () => ({ go: false }),
});
const system = defineSystem({ name: "shops", functions: [], hooks: [shop, other] });
const onlyOther = defineSystem({ name: "others", functions: [], hooks: [other] });
const at = { service: { namespace: "reveille", name: "serve", port: 443 } };

describe("the ExtensionConfig of hooks", () => {
  it("follows from the declarations", () => {
    assert.equal(extensionConfig([onlyOther], { at }), undefined);
    assert.deepEqual(extensionConfig([system], { at, authorities: "pem", namespaces: ["b", "a"] })?.spec, {
      clientConfig: { ...at, caBundle: Buffer.from("pem").toString("base64") },
      namespaceSelector: {
        matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["a", "b"] }],
      },
    });
  });
  it("needs the right on itself alone, and hooks what they read and store", () => {
    const told = (namespace: string | undefined) =>
      admissionGrants([system], namespace).map(({ account, namespace: of = "", rules }) => [
        `${account} ${of}`.trim(),
        ...rules.map(({ resources, resourceNames = [], verbs }) =>
          [...resources, ...resourceNames, ...verbs].join(" "),
        ),
      ]);
    const registers = [
      ["reveille-watcher", "extensionconfigs reveille create patch"],
      ["reveille-watcher reveille-system", "secrets reveille-webhooks get patch"],
    ];
    assert.deepEqual(told(undefined), [
      ["reveille-serve", "toys get patch", "toys/status patch", "workshops get list"],
      ...registers,
    ]);
    assert.deepEqual(told("shop"), [
      ["reveille-serve shop", "toys get patch", "toys/status patch"],
      ["reveille-serve", "workshops get list"],
      ...registers,
    ]);
    assert.deepEqual(
      admissionGrants([onlyOther], undefined).map(({ account }) => account),
      ["reveille-watcher"],
    );
  });
  it("goes into the chart's rights also where the API server asks nothing", () => {
    const rights = [...generatedFiles([system])].find(([file]) => file.endsWith("rights.json"));
    assert.ok(rights);
    const { admission } = JSON.parse(rights[1]).systems.shops;
    assert.deepEqual(admission.configurations, []);
    assert.deepEqual(admission.registration[0].resourceNames, ["reveille"]);
    assert.deepEqual(admission.rules.cluster[0].resources, ["workshops"]);
  });
});
