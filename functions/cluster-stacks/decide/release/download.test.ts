import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ReleaseStatus } from "../../kinds/index.ts";
import type { Opening } from "../../ports/releases/index.ts";
import type { Assets } from "../assets/index.ts";
import { releaseOfTag } from "../names/index.ts";
import { downloadOf } from "./download.ts";
import { failedRelease } from "./index.ts";

const CHART: Assets["classChart"] = { version: "v1", isLibrary: false, files: new Map() };
const ASSETS: Assets = {
  digest: "content",
  metadata: {
    stack: { major: "1", custom: undefined },
    kubernetes: "v1.27.3",
    addon: { major: "1", custom: undefined },
  },
  classChart: CHART,
  addons: { form: "single-stage", chart: CHART, valuesTemplate: undefined },
};
const NOW = "2024-05-05T10:00:00Z";
const TAG = "docker-ferrol-1-27-v1";
const release = (status?: ReleaseStatus, name = TAG) => ({
  apiVersion: "clusterstack.x-k8s.io/v1alpha1",
  kind: "ClusterStackRelease",
  metadata: {
    ...{ name, namespace: "team", uid: "u", resourceVersion: "1", generation: 1, creationTimestamp: NOW },
    ...{ labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
  },
  spec: {},
  ...(status && { status }),
});
const judged = (opening: Opening, status?: ReleaseStatus, name = TAG, assets?: Assets) =>
  downloadOf(
    release(status, name),
    {
      name: releaseOfTag(name),
      users: [],
      opening,
      assets,
      faults: [],
      provider: { state: "none" },
      rendered: undefined,
      recreated: [],
      recorded: [],
    },
    NOW,
  );
const said = (opening: Opening, status?: ReleaseStatus, name = TAG) =>
  judged(opening, status, name).verdicts.map(({ type, status: is, reason }) =>
    `${type} ${is} ${reason ?? ""}`.trim(),
  );
const failure = (
  reason: "limited" | "refused" | "unavailable" | "unknown source",
  notBefore?: string,
): Opening => ({
  state: "failed",
  reason,
  message: "no",
  ...(notBefore !== undefined && { notBefore }),
});

const [MISSING, WRONG] = [
  "ClusterStackReleaseDownloaded False ReleaseAssetsNotDownloadedYet",
  "ClusterStackReleaseDownloaded False IssueWithReleaseAssets",
];
const [FINE, BROKEN] = [
  "AssetsClientAPIAvailable True",
  "AssetsClientAPIAvailable False FailedCreateAssetsClient",
];

describe("assets that could not be had", () => {
  for (const [name, opening, verdicts] of [
    ["from a source that does not answer", failure("unavailable"), [MISSING, FINE]],
    ["from one that wants to be left alone", failure("limited"), [MISSING, FINE]],
    ["from one that refuses us", failure("refused"), [MISSING, BROKEN]],
    ["from one that nobody configured", failure("unknown source"), [MISSING, BROKEN]],
    ["since there are none", { state: "absent", message: "no" }, [WRONG, FINE]],
    ["since they are damaged", { state: "damaged", message: "no" }, [WRONG, FINE]],
  ] as const)
    test(`${name} are told`, () => assert.deepEqual(said(opening), verdicts));
  test("for a name that is no tag are not looked for again", () => {
    const { verdicts, fields } = judged({ state: "not due" }, undefined, "nonsense");
    assert.match(verdicts[0]?.message ?? "", /^its name is no tag.*nonsense$/);
    assert.equal(fields.nextTry, undefined);
  });
  test("are tried again later and later, in a time of each release's own", () => {
    const waits = [0, 1, 2, 9].map((attempts) => {
      const { fields } = judged(failure("unavailable"), { ready: false, attempts });
      assert.equal(fields.attempts, attempts + 1);
      return (Date.parse(fields.nextTry ?? "") - Date.parse(NOW)) / 1000;
    });
    for (const [index, seconds] of [30, 60, 120, 600].entries()) {
      const wait = waits[index] ?? 0;
      assert.ok(wait >= seconds * 0.75 && wait <= seconds * 1.25 + 1, `${wait} for ${seconds}`);
    }
  });
  test("are not asked for before the source said", () => {
    const { fields, verdicts } = judged(failure("limited", "2024-05-05T10:17:00.5Z"));
    assert.equal(fields.nextTry, "2024-05-05T10:17:01Z");
    assert.match(verdicts[0]?.message ?? "", /attempt 1, the next one at 2024-05-05T10:17:01Z/);
  });
  test("are the same under the name that earlier versions gave their content, which is stored no more", () => {
    const opened = (digest: string, formerDigest?: string): Opening => ({
      state: "opened",
      release: { digest, formerDigest, files: new Map(), archives: new Map() },
    });
    const status = { ready: true, resources: [{ name: "x" }], digest: "manifest" };
    const { fields, faults } = judged(opened("content", "manifest"), status, TAG, ASSETS);
    assert.deepEqual([fields.digest, faults], ["content", undefined]);
    assert.match(judged(opened("other", "x"), status, TAG, ASSETS).faults ?? "", /^its content is another/);
  });
  test("take nothing from a release that is applied", () => {
    const conditions = ["ClusterStackReleaseDownloaded", "HelmChartApplied"].map((type) => ({
      type: type as "HelmChartApplied",
      status: "True" as const,
      lastTransitionTime: NOW,
    }));
    const status = {
      ready: true,
      kubernetesVersion: "v1.27.3",
      resources: [{ name: "x" }],
      digest: "d",
      conditions,
    };
    const { verdicts, fields } = judged({ state: "absent", message: "no" }, status);
    assert.deepEqual(verdicts, [{ type: "ClusterStackReleaseDownloaded", status: "True" }]);
    assert.deepEqual([fields.kubernetesVersion, fields.digest], ["v1.27.3", "d"]);
  });
});

test("an error that nobody expected is told beside what is known", () => {
  const conditions = [
    { type: "AssetsClientAPIAvailable" as const, status: "True" as const, lastTransitionTime: NOW },
  ];
  const failed = failedRelease(release({ ready: true, attempts: 3, conditions }), "boom", NOW);
  assert.deepEqual([failed.ready, failed.attempts], [false, 3]);
  assert.deepEqual(
    failed.conditions?.map(({ type, message }) => `${type} ${message ?? ""}`.trim()),
    ["Ready boom", "AssetsClientAPIAvailable", "HelmChartApplied boom"],
  );
});
