import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { createRouter } from "../../../shared/runner/router.ts";
import { kyma } from "../index.ts";

const { route } = createRouter(kyma.functions);

const eventAbout = (
  kind: "Kyma" | "Manifest" | "ModuleReleaseMeta" | "ModuleTemplate",
  type: string,
  data: object,
): Envelope => ({
  specversion: "1.0",
  id: "one",
  type,
  source: "/clusters/local",
  time: "2026-01-15T10:00:00.000Z",
  datacontenttype: "application/json",
  data: {
    ref: {
      cluster: "local",
      group: "operator.kyma-project.io",
      version: "v1beta2",
      kind,
      namespace: "kcp-system",
      name: "rt-1",
      uid: "1",
    },
    era: 0,
    resourceVersion: "2",
    generation: 1,
    lane: "urgent",
    seen: [],
    incomplete: false,
    owners: [],
    ready: false,
    deleting: false,
    ...data,
  },
});
const woken = (event: Envelope): readonly string[] => [...new Set(route(event).map((item) => item.function))];
const FACTS = { generation: 1, runtimeId: "rt-1" };

describe("a change of a Kyma", () => {
  const changed = (...differs: readonly string[]) =>
    woken(eventAbout("Kyma", "resource.changed", { differs, facts: FACTS, was: FACTS }));

  it("wakes all of its functions where it is another wish", () => {
    const facts = { ...FACTS, generation: 2 };
    const wish = { differs: ["object", "facts"], facts, was: FACTS };
    assert.deepEqual(woken(eventAbout("Kyma", "resource.changed", wish)).toSorted(), [
      "kyma-catalogs",
      "kyma-runtimes",
      "kyma-statuses",
      "kyma-suspended",
      "kyma-watch",
      "kyma-watcher",
      "kymas",
    ]);
  });
  it("wakes those alone that decide on it, where it is a fact", () => {
    const flips = (fact: string, status = "True") =>
      woken(
        eventAbout("Kyma", "resource.changed", {
          differs: ["status", "facts"],
          facts: { ...FACTS, [fact]: { status } },
          was: FACTS,
        }),
      ).toSorted();
    assert.deepEqual(flips("tells"), [
      "kyma-catalogs",
      "kyma-runtimes",
      "kyma-statuses",
      "kyma-watch",
      "kyma-watcher",
      "kymas",
    ]);
    const heeding = ["kyma-catalogs", "kyma-runtimes", "kyma-statuses", "kyma-watcher", "kymas"];
    assert.deepEqual(flips("definitions", "False"), heeding);
    assert.deepEqual(flips("definitions"), [...heeding, "kyma-manifests"].toSorted());
    assert.deepEqual(flips("watcher"), ["kyma-statuses", "kyma-watch", "kyma-watcher", "kymas"]);
    assert.deepEqual(flips("catalog"), ["kyma-catalogs", "kyma-statuses", "kymas"]);
    assert.deepEqual(flips("reachable"), ["kyma-runtimes", "kyma-statuses", "kymas"]);
  });
  it("wakes whoever keeps its user's wishes, and nobody else, where it is an annotation", () => {
    assert.deepEqual(changed("object").toSorted(), ["kyma-runtimes", "kymas"]);
  });
  it("wakes whoever copies the status where that says something else of a module, and nobody who looks into the runtime", () => {
    assert.deepEqual(changed("status", "ready").toSorted(), ["kyma-statuses", "kymas"]);
  });
});

describe("a release that is deleted", () => {
  it("is woken by a Manifest that is gone, and by no step of another", () => {
    const facts = { generation: 1, kymaName: "rt-1", moduleName: "alpha", state: "Ready" };
    const was = { ...facts, state: "Processing" };
    const step = { differs: ["status", "facts", "ready"], facts, was, ready: true };
    assert.ok(!woken(eventAbout("Manifest", "resource.changed", step)).includes("kyma-release-deletion"));
    const gone = eventAbout("Manifest", "resource.deleted", { was: facts });
    assert.ok(woken(gone).includes("kyma-release-deletion"));
  });
});

describe("a change of the catalog", () => {
  it.each([
    ["ModuleReleaseMeta", ["kyma-catalogs", "kyma-release-deletion", "kymas"]],
    ["ModuleTemplate", ["kyma-catalogs", "kymas"]],
  ] as const)("of a %s wakes each function once, and no Manifest itself (DEP11)", (kind, expected) => {
    const facts = { generation: 2, name: "alpha", moduleName: "alpha" };
    const was = { ...facts, generation: 1 };
    const event = eventAbout(kind, "resource.changed", { differs: ["object", "facts"], facts, was });
    const items = route(event).map((item) => item.function);
    assert.deepEqual(items.toSorted(), [...expected]);
    // The same once more is the same item: one waits for a key, and one source of a sweep.
    assert.deepEqual(
      route({ ...event, id: "two" }).map(({ key }) => key),
      route(event).map(({ key }) => key),
    );
  });
});
