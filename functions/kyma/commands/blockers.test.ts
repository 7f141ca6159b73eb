import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Results } from "../../../shared/function/index.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { kymaDeletion } from "../decide/deletion/index.ts";
import { manifestDeletion } from "../decide/manifest/index.ts";
import { takenLeaveOf } from "../decide/manifest/trusted.ts";
import { ANNOTATIONS, Kyma, RuntimeDefinition, RuntimeKyma, RuntimeObject } from "../kinds/index.ts";
import { blockersOf, blockersText } from "./blockers.ts";
import { kymaOf, manifestOf, says } from "./test-objects.ts";

const NOW = "2026-01-05T10:00:00Z";
const wait = { for: "rt to answer" };
const there = { state: "reachable", cluster: "rt", reason: "", wait } as const;
const resource = { apiVersion: "store.acme.test/v1", kind: "AlphaStore", metadata: { name: "default" } };
const text = (...of: Parameters<typeof blockersOf>): string =>
  blockersText("rt", "kcp-system", blockersOf(...of));

describe("blockers of a module", () => {
  /** The sentence in which a Manifest says what it waits for. */
  const said = (world: Parameters<typeof manifestDeletion>[1]): string => {
    const results: Results = Object.assign(() => ({ state: "not run" as const }), {
      ok: true,
      failed: [],
      within: () => ({ ok: true, failed: [] }),
    });
    const decided = manifestDeletion(manifestOf("alpha"), world, NOW);
    const status =
      "conclude" in decided
        ? decided.conclude?.(results).status
        : "status" in decided
          ? decided.status
          : undefined;
    return status?.lastOperation?.operation ?? assert.fail("it says nothing");
  };
  const alphaThat = (waits: string, annotations = {}) =>
    manifestOf("alpha", { isDeleting: true, annotations, spec: { resource }, status: says(waits) });

  test("are listed by a line where they are users' objects", () => {
    const blockers = [{ apiVersion: "store.acme.test/v1", kind: "AlphaStore", name: "mine", namespace: "x" }];
    const waits = said({ step: "blocked", there, blockers, own: undefined, install: undefined });
    const told = text(kymaOf(), [alphaThat(waits)]);
    assert.match(told, /^alpha \(Manifest rt-alpha\) waits for 1 objects of the kind AlphaStore .*x\/mine$/m);
    assert.match(told, /kubectl get AlphaStore\.v1\.store\.acme\.test --all-namespaces$/m);
    const core = { resource: { ...resource, apiVersion: "v1", kind: "ConfigMap" } };
    const maps = [{ apiVersion: "v1", kind: "ConfigMap", name: "mine", namespace: "x" }];
    const ofMaps = said({ step: "blocked", there, blockers: maps, own: undefined, install: undefined });
    const ofCore = manifestOf("alpha", { isDeleting: true, spec: core, status: says(ofMaps) });
    assert.match(text(kymaOf(), [ofCore]), /kubectl get ConfigMap --all-namespaces$/m);
    assert.match(told, /^Delete them there .*module enable`\.$/m);
    const whole = text(kymaOf({ isDeleting: true }), [alphaThat(waits)]);
    assert.match(whole, /^Delete them there with `kubectl delete`\.$/m, "none is kept without its Kyma");
    assert.match(
      told,
      /^The kubeconfig of the runtime:\n {2}kubectl get secret -n kcp-system .*kyma-name=rt /m,
    );
  });

  test("are the module's default configuration object, and a line that shows who holds it", () => {
    const own = parseObject(
      RuntimeObject,
      {
        apiVersion: "store.acme.test/v1",
        kind: "AlphaStore",
        metadata: {
          ...{ name: "default", namespace: "kyma-system", uid: "u", resourceVersion: "1" },
          ...{ deletionTimestamp: NOW, finalizers: ["acme.test/slow"] },
        },
      },
      "rt",
    );
    const waits = said({ step: "blocked", there, blockers: [], own, install: undefined });
    const told = text(kymaOf(), [alphaThat(waits)]);
    assert.match(
      told,
      /waits for its default .* kyma-system\/default to be gone, which acme\.test\/slow must/m,
    );
    assert.match(told, /kubectl get AlphaStore\.v1\.store\.acme\.test default -n kyma-system -o yaml$/m);
  });

  test("are a Namespace that is not empty, in the server's words, and a line that shows it", () => {
    const namespace = parseObject(RuntimeObject, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "alpha", uid: "u", resourceVersion: "1", deletionTimestamp: NOW },
      status: {
        conditions: [
          {
            type: "NamespaceContentRemaining",
            status: "True",
            message: "configmaps. has 1 resource instances.",
          },
          { type: "NamespaceDeletionContentFailure", status: "False", message: "All content is gone." },
        ],
      },
    });
    const entry = { group: "", version: "v1", kind: "Namespace", name: "alpha", namespace: "" };
    const waits = said({ step: "removal", there, found: [{ entry, live: namespace }], farewells: [] });
    assert.equal(
      waits,
      "waits for 1 objects to be gone: Namespace alpha (configmaps. has 1 resource instances.)",
    );
    assert.match(text(kymaOf(), [alphaThat(waits)]), /kubectl get Namespace alpha -o yaml$/m);
  });

  test("are told in a runtime as its Kyma's status has them", () => {
    const modules = [
      { name: "alpha", state: "Deleting", message: "waits for 2 objects to be gone" },
      { name: "beta", state: "Ready" },
    ];
    const told = text(kymaOf({ status: { modules } }), []);
    assert.match(told, /^alpha: waits for 2 objects to be gone$/m);
    assert.doesNotMatch(told, /beta|No module/);
  });

  test("are none of users' where an object of the module's own is held by a finalizer", () => {
    const metadata = { name: "one", namespace: "alpha", uid: "u", resourceVersion: "1" };
    const live = parseObject(
      RuntimeObject,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { ...metadata, deletionTimestamp: NOW, finalizers: ["acme.test/held"] },
      },
      "rt",
    );
    const entry = { group: "", version: "v1", kind: "ConfigMap", name: "one", namespace: "alpha" };
    const waits = said({ step: "removal", there, found: [{ entry, live }] });
    const told = text(kymaOf(), [alphaThat(waits)]);
    assert.match(told, /ConfigMap alpha\/one, which acme\.test\/held must let go$/m);
    assert.doesNotMatch(told, /kubectl get AlphaStore|Delete them/);
    assert.match(told, /^The kubeconfig of the runtime:$/m);
  });

  test("are none of the runtime's where its trusted handler has yet to let go", () => {
    const annotations = { [ANNOTATIONS.trustedHandler]: "tenants" };
    const waits = "the trusted handler tenants waits for the tenant to be closed";
    const told = text(kymaOf(), [alphaThat(waits, annotations)]);
    assert.match(told, /^alpha \(Manifest rt-alpha\): the trusted handler tenants waits for the tenant/m);
    assert.doesNotMatch(told, /kubectl/);
  });

  test("are handlers of former versions too, and one that is there no more with the line that forgets it", async () => {
    const toldWith = async (record: string, known: readonly string[]): Promise<string> => {
      const annotations = { [ANNOTATIONS.handledBy]: record };
      const [open] = await takenLeaveOf(manifestOf("alpha", { annotations }), record.split(","), {
        handlers: {
          knows: (name) => known.includes(name),
          ask: async () => ({ state: "answered", objects: [], waitingFor: "the end", askAgain: undefined }),
        },
        kyma: async () => undefined,
      });
      assert.ok(open !== undefined && !open.isOver);
      return text(kymaOf(), [alphaThat(open.message, annotations)]);
    };
    const gone = await toldWith("accounts", []);
    assert.match(
      gone,
      /^alpha \(Manifest rt-alpha\): the trusted handler accounts is not configured any more/m,
    );
    assert.match(
      gone,
      /^ {2}if nothing of accounts is left outside, .*: kubectl annotate manifest rt-alpha -n kcp-system reveille\.dev\/handled-by-$/m,
    );
    assert.doesNotMatch(gone, /kubeconfig|log of that service/);
    assert.match(
      await toldWith("accounts,tenants", ["tenants"]),
      /: kubectl annotate manifest rt-alpha -n kcp-system reveille\.dev\/handled-by=tenants --overwrite$/m,
    );
    const known = await toldWith("accounts,tenants", ["accounts", "tenants"]);
    assert.match(known, /^ {2}trusted handlers that are still to be told that it goes: accounts, tenants$/m);
    assert.doesNotMatch(known, /kubectl/);
  });

  test("are whoever set another finalizer on its Manifest", () => {
    const held = manifestOf("alpha", {
      isDeleting: true,
      finalizers: ["label-removal-finalizer", "acme.test/x"],
    });
    const told = text(kymaOf(), [held]);
    assert.match(told, /alpha \(Manifest rt-alpha\) its removal has not begun yet/);
    assert.match(told, /finalizers of others, which they have to take off: acme\.test\/x$/m);
  });
});

describe("blockers of a Kyma", () => {
  type Left = Parameters<typeof kymaDeletion>[1]["left"];
  /** The Kyma as its deletion leaves it while that is left in its runtime. */
  const stuckWith = (left: Left) => {
    const status = { state: "Deleting" };
    const decided = kymaDeletion(
      kymaOf({ isDeleting: true, status }),
      { manifests: [], left, certificate: {} },
      NOW,
    );
    if (decided.conclude === undefined) return assert.fail("it is gone");
    const all = { ok: true, failed: [] };
    const done = Object.assign(() => ({ state: "not run" as const }), { ...all, within: () => all });
    return kymaOf({ isDeleting: true, status: decided.conclude(done).status });
  };
  const metadata = { uid: "u", resourceVersion: "1", deletionTimestamp: NOW, finalizers: ["acme.test/held"] };
  const definition = (name: string) =>
    parseObject(
      RuntimeDefinition,
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { ...metadata, name },
        spec: {
          group: Kyma.group,
          names: { kind: Kyma.kind, plural: "kymas" },
          scope: "Namespaced",
          versions: [],
        },
      },
      "rt",
    );
  const kyma = parseObject(
    RuntimeKyma,
    {
      apiVersion: `${Kyma.group}/${Kyma.version}`,
      kind: Kyma.kind,
      metadata: { ...metadata, name: "default", namespace: "kyma-system" },
      spec: { channel: "regular" },
    },
    "rt",
  );
  const left = (definitionName: string): Left => ({
    ...{ state: "there", cluster: "rt", program: [], kyma },
    definitions: [definition(definitionName)],
  });

  test.each([
    ["kymas.operator.kyma-project.io", /kubectl get kymas default -n kyma-system -o .*FINALIZERS/],
    [
      "moduletemplates.operator.kyma-project.io",
      /kubectl get moduletemplates\.operator\.kyma-project\.io --all-namespaces -o .*NAMESPACE:.*FINALIZERS/,
    ],
  ])("are shown by a line where something of its runtime stays: %s", (name, expected) => {
    const told = text(stuckWith(left(name)), []);
    assert.match(told, /^Kyma kcp-system\/rt: It waits for \S+ \S+ in the runtime to be gone\.$/m);
    assert.match(told, expected);
    assert.match(told, /^The kubeconfig of the runtime:$/m);
  });

  test("are its runtime where that does not answer, with the line for one that is lost", () => {
    const away = { ...there, state: "unreachable", reason: "it is silent" } as const;
    const told = text(stuckWith({ state: "away", there: away }), []);
    assert.match(told, /It waits for its runtime, .*: it is silent\.$/m);
    assert.match(told, /if the runtime is lost: reveille kyma force-delete rt -n kcp-system$/m);
  });

  test("are nothing yet where its deletion has not begun, and whoever holds it at home", () => {
    const told = text(
      kymaOf({ isDeleting: true, finalizers: ["acme.test/x"], status: { state: "Ready" } }),
      [],
    );
    assert.match(told, /Its deletion has not begun yet\.\n.*finalizers of others.*acme\.test\/x$/);
  });
});
