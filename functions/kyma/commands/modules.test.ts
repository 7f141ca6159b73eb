import assert from "node:assert/strict";
import { test } from "vitest";
import { ANNOTATIONS } from "../kinds/index.ts";
import { listedModules } from "./modules.ts";
import { kymaOf } from "./test-objects.ts";

test("the modules of a Kyma are those that its user wants in the runtime, once that was accepted", () => {
  const of = (accepted: object | undefined) =>
    listedModules(
      kymaOf({
        annotations: accepted === undefined ? {} : { [ANNOTATIONS.acceptedSpec]: JSON.stringify(accepted) },
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
