import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { ANNOTATIONS, Kyma, KymaPolicy, LABELS } from "../../kinds/index.ts";
import { decided, NOW, raw, type Tree } from "./test-pass.ts";
import { effectiveOf } from "./wishes.ts";

const policyOf = (spec: Tree) => parseObject(KymaPolicy, raw(KymaPolicy, "central", { spec }));
const inThisCluster = (
  modules: readonly string[],
  policy: Tree,
  accepted?: readonly string[],
  told: readonly string[] = [],
) =>
  effectiveOf(
    parseObject(
      Kyma,
      raw(Kyma, "own", {
        spec: { channel: "regular", modules: modules.map((name) => ({ name })) },
        status: {
          modules: [
            ...told.map((name) => ({ name, state: "Ready", version: "1.0.0" })),
            { name: "gamma", state: "Warning" },
          ],
        },
        metadata: {
          annotations:
            accepted === undefined
              ? {}
              : {
                  [ANNOTATIONS.acceptedOwnSpec]: JSON.stringify({
                    channel: "regular",
                    modules: accepted.map((name) => ({ name })),
                  }),
                },
        },
      }),
    ),
    [policyOf(policy)],
    { target: "local" },
  );
const names = ({ modules }: ReturnType<typeof inThisCluster>): readonly string[] =>
  modules.map(({ name }) => name);

describe("policies where Kymas are of the cluster that they look after", () => {
  test("say with which modules they begin, as in a runtime", () =>
    assert.deepEqual(names(inThisCluster(["alpha"], { defaults: [{ module: "beta" }] })), ["alpha", "beta"]));
  test("bound their number, as in a runtime", () => {
    const effective = inThisCluster(["alpha", "beta", "gamma"], { maxModules: 1 });
    assert.deepEqual(names(effective), ["alpha"]);
    assert.deepEqual(
      effective.rejections.map(({ path }) => path),
      ["modules[beta]", "modules[gamma]"],
    );
  });
  test("leave what was accepted before they came", () =>
    assert.deepEqual(names(inThisCluster(["alpha", "beta"], { maxModules: 1 }, ["alpha", "beta"])), [
      "alpha",
      "beta",
    ]));
  test("leave what is installed already where nothing was written down of it", () => {
    assert.deepEqual(
      names(inThisCluster(["alpha", "beta"], { maxModules: 1 }, undefined, ["alpha", "beta"])),
      ["alpha", "beta"],
    );
    const effective = inThisCluster(["alpha", "beta", "gamma"], { maxModules: 1 }, undefined, ["beta"]);
    assert.deepEqual(names(effective), ["beta"], "the others were never there");
  });
  test("keep a module that is taken out, and say so", () => {
    const effective = inThisCluster(["alpha"], { enforce: [{ module: "beta" }] }, ["alpha", "beta"]);
    assert.deepEqual(names(effective), ["alpha", "beta"]);
    assert.deepEqual(
      effective.rejections.map(({ path }) => path),
      ["modules[beta]"],
    );
  });
});

describe("a module that nobody wants any more, and that is still there", () => {
  const brought = async (labels: Readonly<Record<string, string>>) => {
    const metadata = {
      deletionTimestamp: NOW,
      labels: { [LABELS.kymaName]: "rt-1", [LABELS.moduleName]: "alpha", ...labels },
    };
    return (await decided({ modules: [], version: "2.0.0", installed: "1.0.0", manifest: { metadata } }))
      .effects;
  };
  test("follows its channel", async () =>
    assert.deepEqual(await brought({ [LABELS.channel]: "regular" }), ["apply Manifest 2.0.0"]));
  test("stays at the version that it was pinned to", async () =>
    assert.deepEqual(await brought({}), ["apply Manifest 1.0.0"]));
  test("follows the Kyma's channel where each cluster had it", async () =>
    assert.deepEqual(await brought({ [LABELS.mandatoryModule]: "true" }), ["apply Manifest 2.0.0"]));
});
