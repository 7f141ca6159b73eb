import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Opening } from "../../ports/releases/index.ts";
import { ADDON_CONFIG, type AssetFault } from "../assets/index.ts";
import { assetVerdicts, nextAsking } from "./assets.ts";

const NOW = "2026-03-01T12:00:00Z";
const opened: Opening = {
  state: "opened",
  release: { digest: "sha256:1", files: new Map(), archives: new Map() },
};
const failed = (reason: "unavailable" | "refused" | "limited", notBefore?: string): Opening => ({
  state: "failed",
  reason,
  message: `it is ${reason}`,
  ...(notBefore !== undefined && { notBefore }),
});

/** `Type` for what holds, else `Type=Severity/Reason: message`. */
const told = (opening: Opening, ...faults: AssetFault[]): readonly string[] =>
  assetVerdicts(opening, faults).map((verdict) =>
    verdict.status === "True"
      ? verdict.type
      : `${verdict.type}=${verdict.severity}/${verdict.reason}: ${verdict.message}`,
  );

describe("the verdicts about the assets of an addon", () => {
  it("tell the chart's faults and those of its configuration apart", () => {
    assert.deepEqual(told(opened), ["ClusterStackReleaseDownloaded", "AssetsClientAPIAvailable"]);
    assert.deepEqual(
      told(
        opened,
        { file: "a.tgz", message: "it is torn" },
        { file: ADDON_CONFIG, message: "no stage" },
        { file: "metadata.yaml", message: "it is missing" },
      ),
      [
        "ClusterStackReleaseDownloaded=Error/IssueWithReleaseAssets: a.tgz: it is torn; metadata.yaml: it is missing",
        "AssetsClientAPIAvailable",
        `ClusterAddonConfigValidated=Error/ParsingClusterAddonConfigFailed: ${ADDON_CONFIG}: no stage`,
      ],
    );
  });

  it("name why a condition can never be asked", () =>
    assert.deepEqual(
      told(
        opened,
        { file: ADDON_CONFIG, message: "no stage" },
        { file: ADDON_CONFIG, message: "Unknown variable: x", reason: "WrongInputVar" },
      ),
      [
        "ClusterStackReleaseDownloaded",
        "AssetsClientAPIAvailable",
        `ClusterAddonConfigValidated=Error/ParsingClusterAddonConfigFailed: ${ADDON_CONFIG}: no stage; ${ADDON_CONFIG}: Unknown variable: x`,
        `EvaluatedCEL=Error/WrongInputVar: ${ADDON_CONFIG}: Unknown variable: x`,
      ],
    ));

  for (const state of ["absent", "damaged"] as const)
    it(`tell that the release is ${state}`, () =>
      assert.deepEqual(told({ state, message: "no such" }), [
        "ClusterStackReleaseDownloaded=Error/IssueWithReleaseAssets: no such",
        "AssetsClientAPIAvailable",
      ]));

  it("blame the source only where it is closed to us", () => {
    const missing = "ClusterStackReleaseDownloaded=Info/ReleaseAssetsNotDownloadedYet";
    assert.deepEqual(told(failed("unavailable")), [
      `${missing}: it is unavailable`,
      "AssetsClientAPIAvailable",
    ]);
    assert.deepEqual(told(failed("refused")), [
      `${missing}: it is refused`,
      "AssetsClientAPIAvailable=Error/FailedCreateAssetsClient: it is refused",
    ]);
    assert.deepEqual(told({ state: "not due" }), [
      `${missing}: its source was not asked yet`,
      "AssetsClientAPIAvailable",
    ]);
  });
});

describe("the next question to the source", () => {
  const cases: readonly (readonly [string, Opening, string])[] = [
    ["comes soon after one that failed", failed("unavailable"), "2026-03-01T12:01:00"],
    ["comes soon after one that was not due", { state: "not due" }, "2026-03-01T12:01:00"],
    ["comes when the source wants it", failed("limited", "2026-03-01T13:00:00Z"), "2026-03-01T13:00:00"],
    ["is not hurried by the source", failed("limited", "2026-03-01T12:00:10Z"), "2026-03-01T12:01:00"],
    ["comes late for a release that is wrong", { state: "damaged", message: "torn" }, "2026-03-01T12:10:00"],
    ["comes late for a release that is right", opened, "2026-03-01T12:10:00"],
  ];
  for (const [says, opening, at] of cases)
    it(says, () => assert.equal(Date.parse(nextAsking(opening, NOW)), Date.parse(`${at}Z`)));
});
