import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { ANNOTATIONS, LABELS } from "../../kinds/index.ts";
import type { AKyma, AManifest } from "../read.ts";
import { kymaOf, manifestOf, says, spokenThere } from "../test-objects.ts";
import { forcePlan, planText } from "./plan.ts";

const RT = { namespace: "kcp-system", name: "rt" };
const alpha = manifestOf("alpha");
const going = manifestOf("alpha", { isDeleting: true });
const listed = { spec: { modules: [{ name: "alpha" }] } };

describe("a plan to take a module away by force", () => {
  test("says that it is installed anew where the wish that counts has it", () => {
    const isWanted = (kyma: AKyma): boolean | undefined =>
      forcePlan(RT, kyma, [going], ["alpha"]).modules[0]?.wanted;
    assert.equal(isWanted(kymaOf(listed)), true);
    assert.equal(isWanted(kymaOf({ annotations: spokenThere({ name: "alpha" }) })), true);
    assert.equal(isWanted(kymaOf({ ...listed, annotations: spokenThere() })), false);
  });

  test("says nothing of a removal that has not begun but that", () => {
    const waitsOf = (status: object) =>
      forcePlan(RT, kymaOf(), [manifestOf("alpha", { isDeleting: true, status })], ["alpha"]).modules[0]
        ?.waits;
    assert.equal(
      waitsOf({ state: "Ready", ...says("the module is installed") }),
      "its removal has not begun yet",
    );
    assert.equal(waitsOf(says("waits for 2 objects to be gone")), "waits for 2 objects to be gone");
  });

  test("says that its trusted handler is not told, and what that leaves", () => {
    const toldOf = (manifest: AManifest): string =>
      planText(forcePlan(RT, kymaOf(), [manifest], ["alpha"]), "x");
    assert.doesNotMatch(toldOf(going), /trusted handler/);
    const annotations = { [ANNOTATIONS.trustedHandler]: "tenants" };
    assert.match(
      toldOf(manifestOf("alpha", { isDeleting: true, annotations })),
      /^ {2}Its trusted handler tenants is not told that it goes: what it made outside stays/m,
    );
    const former = { [ANNOTATIONS.handledBy]: "accounts,tenants" };
    const handlersOf = (of: object): readonly string[] =>
      [
        ...toldOf(manifestOf("alpha", { isDeleting: true, annotations: { ...of } })).matchAll(
          /^ {2}Its trusted handler (\S+) is not told/gm,
        ),
      ].map(([, name = ""]) => name);
    assert.deepEqual(handlersOf({ ...annotations, ...former }), ["tenants", "accounts"]);
    assert.deepEqual(handlersOf(former), ["accounts", "tenants"], "its version names none any more");
  });

  test.each([
    [
      "its Kyma lists it",
      kymaOf(listed),
      alpha,
      /First type `[^`]*disable alpha --kyma rt -n kcp-system`\.$/,
    ],
    [
      "its user asked in the runtime",
      kymaOf({ annotations: spokenThere({ name: "alpha" }) }),
      alpha,
      /disable alpha -n kyma-system --kubeconfig FILE` .*kyma-name=rt.*base64 -d.*KymaPolicy deny/,
    ],
    [
      "each cluster gets it",
      kymaOf(),
      manifestOf("alpha", { labels: { [LABELS.mandatoryModule]: "true" } }),
      /`kubectl delete modulereleasemeta alpha -n kcp-system`, which takes it from each cluster/,
    ],
    [
      "its Kyma is being deleted",
      kymaOf({ isDeleting: true }),
      alpha,
      /goes with the Kyma kcp-system\/rt, .*\(`reveille kyma force-delete rt -n kcp-system`\)/,
    ],
    ["its Kyma is gone", undefined, alpha, /`kubectl delete manifest rt-alpha -n kcp-system`/],
  ] satisfies readonly (readonly [string, AKyma | undefined, AManifest, RegExp])[])(
    "names the line that works first: %s",
    (_, kyma, manifest, expected) => {
      assert.throws(() => forcePlan(RT, kyma, [manifest], ["alpha"]), {
        code: "CLI_KYMA_NOT_DELETING",
        message: expected,
      });
    },
  );
});
