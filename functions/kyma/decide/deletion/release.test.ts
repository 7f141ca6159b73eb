import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Kyma, LABELS, Manifest } from "../../kinds/index.ts";
import { releaseGoes } from "./index.ts";

const NOW = "2026-02-03T10:00:00Z";
const ALONE = { [LABELS.skipReconciliation]: "true" };
const raw = (kind: string, name: string, metadata: object) => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind,
  metadata: { name, namespace: "kcp-system", uid: name, resourceVersion: "1", ...metadata },
});
const kyma = (metadata: object = {}) => parseObject(Kyma, raw("Kyma", "rt-1", metadata));
const manifest = ({ labels = {}, ...metadata }: { labels?: object; deletionTimestamp?: string } = {}) =>
  parseObject(
    Manifest,
    raw("Manifest", "rt-1-warden-1", { labels: { [LABELS.kymaName]: "rt-1", ...labels }, ...metadata }),
  );

describe("the release of a module for all", () => {
  test("goes once nobody has the module", () => {
    assert.deepEqual(releaseGoes({ left: [], kymas: [kyma()] }), { effects: [], finalized: true });
  });
  const wait = (said: string) => `rt-1-warden-1${said} to be gone`;
  for (const [title, of, removes, says] of [
    ["is waited for where its Kyma takes it away", [kyma(), manifest()], false, ""],
    ["is taken from a Kyma that a label leaves alone", [kyma({ labels: ALONE }), manifest()], true, ""],
    ["is taken from it once", [kyma({ labels: ALONE }), manifest({ deletionTimestamp: NOW })], false, ""],
    [
      "is not held by a label of the Manifest",
      [kyma(), manifest({ labels: ALONE, deletionTimestamp: NOW })],
      false,
      "",
    ],
    [
      "says what to type where its Kyma is paused",
      [kyma({ annotations: { "reveille.dev/paused": "true" } }), manifest()],
      false,
      " (its Kyma is paused: kubectl annotate kyma rt-1 -n kcp-system reveille.dev/paused-)",
    ],
  ] as const)
    test(`${title}`, () => {
      const [its, left] = of;
      const { effects, finalized, waitingFor } = releaseGoes({ left: [left], kymas: [its] });
      assert.equal(/"effect":"remove".*rt-1-warden-1/.test(JSON.stringify(effects)), removes);
      assert.deepEqual([finalized, waitingFor?.map((one) => one.for)], [undefined, [wait(says)]]);
    });
});
