import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { TerminalError } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { ANNOTATIONS, InjectedSecret, LABELS, Manifest } from "../../kinds/index.ts";
import { injected } from "./injection.ts";

const manifestOf = (module: string) =>
  parseObject(Manifest, {
    apiVersion: apiVersionOf(Manifest),
    kind: "Manifest",
    metadata: {
      ...{ name: "rt-1-alpha-1", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
      labels: { [LABELS.moduleName]: module },
    },
  });
const secret = (name: string, labels: Readonly<Record<string, string>>, data?: object) =>
  parseObject(InjectedSecret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "kcp-system", uid: name, resourceVersion: "1", labels },
    ...(data && { data }),
  });
const asking = (fields: object = {}, annotation: string | undefined = "true"): ApplicableObject => ({
  apiVersion: "v1",
  kind: "Secret",
  type: "Opaque",
  metadata: {
    name: "pull",
    namespace: "alpha",
    labels: {},
    annotations: annotation === undefined ? {} : { [ANNOTATIONS.injected]: annotation },
  },
  stringData: { password: "its own" },
  ...fields,
});
const MINE = { [LABELS.moduleName]: "alpha" };
const DATA = { password: "c2VjcmV0" };
const ask = (
  objects: readonly ApplicableObject[],
  answer: () => ReturnType<Parameters<typeof injected>[3]>,
  settings: { readonly module?: string; readonly injectingModules?: readonly string[] } = {
    injectingModules: ["alpha"],
  },
) =>
  injected(
    manifestOf(settings.module ?? "alpha"),
    objects,
    { dependencyGraceMinutes: 5, ...settings },
    answer,
  );
const nobody = () => assert.fail("nobody may ask for it");

describe("Secrets that get their content from the control plane", () => {
  test("have it in place of their own, each of that name", async () => {
    const { objects, needs, refused } = await ask(
      [asking(), asking({ metadata: { ...asking().metadata, namespace: "beta" } })],
      async () => secret("pull", MINE, DATA),
    );
    for (const object of objects) {
      assert.deepEqual([object.data, object.stringData, object.type], [DATA, undefined, "Opaque"]);
      assert.equal(object.metadata.annotations?.[ANNOTATIONS.injected], "true");
    }
    assert.deepEqual([objects.length, needs.length, needs[0]?.isMet, refused], [2, 1, true, undefined]);
    assert.deepEqual(
      needs[0]?.waits.map(({ of, isAtHome }) => [of.namespace, of.name, isAtHome]),
      [["kcp-system", "pull", true]],
    );
  });

  test("are empty where that holds nothing", async () => {
    const { objects } = await ask([asking()], async () => secret("pull", MINE));
    assert.deepEqual(objects[0]?.data, {});
  });

  for (const [what, object] of [
    ["a Secret that does not ask", asking({}, "false")],
    ["a Secret that asks in another way", asking({}, "True")],
    ["a Secret without annotations", asking({ metadata: { name: "pull", labels: {}, annotations: {} } })],
    ["another kind", asking({ kind: "ConfigMap" })],
    ["a Secret of another group", asking({ apiVersion: "acme.com/v1" })],
  ] as const)
    test(`are not ${what}`, async () => {
      const answer = await ask([object], nobody);
      assert.deepEqual(answer, { objects: [object], needs: [], refused: undefined });
    });

  for (const [what, options] of [
    ["that the configuration does not name", { module: "beta", injectingModules: ["alpha"] }],
    ["without a name", { module: "", injectingModules: ["alpha"] }],
    ["where the configuration names none", {}],
  ] as const)
    test(`are not those of a module ${what}`, async () => {
      assert.deepEqual((await ask([asking()], nobody, options)).objects, [asking()]);
    });

  test("wait for it, and have nothing until then", async () => {
    const { objects, needs, refused } = await ask([asking()], async () => undefined);
    assert.deepEqual(
      [objects, needs[0]?.isMet, needs[0]?.isHard, refused],
      [[asking()], false, true, undefined],
    );
  });

  for (const [what, answer, message] of [
    [
      "bears no module's name",
      async () => secret("pull", {}, DATA),
      /pull lacks the label .*: set it to alpha/,
    ],
    [
      "bears another module's name",
      async () => secret("pull", { [LABELS.moduleName]: "beta" }, DATA),
      /pull is for the module beta: the label/,
    ],
    [
      "is not admitted",
      async () => {
        throw new TerminalError("not here", { code: "KIND_NOT_ADMITTED" });
      },
      /pull is not admitted: add secrets\/pull to injectedSecrets/,
    ],
  ] as const)
    test(`have none of one that ${what}`, async () => {
      const { objects, refused } = await ask([asking()], answer);
      assert.deepEqual(objects, [asking()]);
      assert.match(refused ?? "", message);
      assert.ok(!refused?.includes(DATA.password));
    });

  test("fail with whatever else goes wrong", async () => {
    const away = async () => Promise.reject(new Error("away"));
    await assert.rejects(ask([asking()], away), /away/);
  });
});
