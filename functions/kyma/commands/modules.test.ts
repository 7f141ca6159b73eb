import assert from "node:assert/strict";
import { test } from "vitest";
import { ANNOTATIONS } from "../kinds/index.ts";
import { listedModules } from "./modules.ts";
import { kymaOf } from "./test-objects.ts";

const spoken = (spec: object): Readonly<Record<string, string>> => {
  const text = JSON.stringify(spec);
  return { [ANNOTATIONS.userSpec]: text, [ANNOTATIONS.acceptedSpec]: text };
};

test("a module that is pinned to a version follows no channel", () => {
  const { modules } = listedModules(
    kymaOf({ spec: { modules: [{ name: "alpha", version: "1.4.2" }, { name: "beta" }] } }),
    [],
  );
  assert.deepEqual(
    modules.map(({ module, channel, version }) => [module, channel, version]),
    [
      ["alpha", undefined, "1.4.2"],
      ["beta", "regular", undefined],
    ],
  );
});

test("the modules of a Kyma are those that its user wants in the runtime, once that was accepted", () => {
  const of = (accepted: object | undefined) =>
    listedModules(
      kymaOf({
        annotations: accepted === undefined ? {} : spoken(accepted),
        spec: { modules: [{ name: "alpha" }] },
        status: { modules: [{ name: "gamma", state: "Deleting" }] },
      }),
      [],
    );
  const named = ({ channel, modules }: ReturnType<typeof of>) => [
    channel,
    ...modules.map(({ module, wanted }) => `${module} ${wanted}`),
  ];
  assert.deepEqual(named(of(undefined)), ["regular", "alpha true", "gamma false"]);
  assert.deepEqual(named(of({ channel: "fast", modules: [{ name: "beta" }] })), [
    "fast",
    "beta true",
    "gamma false",
  ]);
});
