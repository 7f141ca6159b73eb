import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterStackSpec, Condition } from "../../kinds/index.ts";
import { latestOf, listingAfter, providerRelease, strayTags, summaryOfRelease, templateOf } from "./index.ts";

const NOW = "2024-05-05T10:00:00Z";
const spec = (more: Partial<ClusterStackSpec> = {}): ClusterStackSpec => ({
  provider: "docker",
  name: "ferrol",
  kubernetesVersion: "1.27",
  channel: "stable",
  autoSubscribe: true,
  noProvider: false,
  source: "default",
  ...more,
});
const listed = (...tags: readonly string[]) =>
  ({
    state: "listed",
    version: "2",
    releases: tags.map((text) => {
      const [tag = "", publishedAt, mark] = text.split(" ");
      return { tag, publishedAt, ...(mark === "prerelease" && { prerelease: true as const }) };
    }),
  }) as const;

describe("the list of a source leaves a stack with", () => {
  const known = { version: "1", latest: "docker-ferrol-1-27-v5" };
  const doubtful = {
    latest: "docker-ferrol-1-27-v5",
    reason: "FailedToSync",
    message:
      "the source lists no release of this stack any more: its newest was docker-ferrol-1-27-v5, which is kept; publish it again, or set spec.autoSubscribe to false",
  };
  for (const [name, answer, more, outcome] of [
    [
      "the newest of its releases",
      listed(
        "docker-ferrol-1-27-v9",
        "docker-ferrol-1-27-v10",
        "docker-ferrol-1-28-v11",
        "docker-other-1-27-v12",
        "junk",
      ),
      {},
      { version: "2", latest: "docker-ferrol-1-27-v10" },
    ],
    ["what it knew, and that it is doubtful, where the list is empty", listed(), {}, doubtful],
    ["what it knew, where the list holds none of it", listed("docker-other-1-27-v12"), {}, doubtful],
    ["what it knew, where nothing changed", { state: "unchanged" }, {}, known],
    ["what it knew, where nobody asked", { state: "not due" }, {}, known],
    [
      "no custom release on the stable channel",
      listed("docker-ferrol-1-27-v6-sha-a", "docker-ferrol-1-27-v5"),
      {},
      { version: "2", latest: "docker-ferrol-1-27-v5" },
    ],
    [
      "no prerelease on the stable channel",
      listed("docker-ferrol-1-27-v6 2024-01-02T00:00:00Z prerelease", "docker-ferrol-1-27-v5"),
      {},
      { ...known, version: "2" },
    ],
    [
      "a prerelease on the custom channel",
      listed("docker-ferrol-1-27-v0-sha-a 2024-01-02T00:00:00Z prerelease"),
      { channel: "custom" },
      { version: "2", latest: "docker-ferrol-1-27-v0-sha-a", publishedAt: "2024-01-02T00:00:00Z" },
    ],
    [
      "the hash that was published last",
      listed(
        "docker-ferrol-1-27-v0-sha-b 2024-01-01T00:00:00Z",
        "docker-ferrol-1-27-v0-sha-a 2024-01-02T00:00:00Z",
      ),
      { channel: "custom" },
      { version: "2", latest: "docker-ferrol-1-27-v0-sha-a", publishedAt: "2024-01-02T00:00:00Z" },
    ],
    [
      "a failure beside what it knew",
      { state: "failed", reason: "unavailable", message: "the source does not answer" },
      {},
      { ...known, reason: "FailedToSync", message: "the source does not answer" },
    ],
    [
      "the time at which it is asked again",
      {
        state: "failed",
        reason: "limited",
        message: "too many requests",
        notBefore: "2024-05-05T10:17:00.000Z",
      },
      {},
      { ...known, reason: "FailedToSync", message: "too many requests", notBefore: "2024-05-05T10:17:00Z" },
    ],
    [
      "the fault of its client",
      { state: "failed", reason: "refused", message: "no credentials" },
      {},
      { ...known, reason: "FailedCreateAssetsClient", message: "no credentials" },
    ],
  ] as const)
    test(name, () => assert.deepEqual(listingAfter(answer, known, spec(more), NOW), outcome));
  test("no doubt, where there never was one", () =>
    assert.deepEqual(listingAfter(listed(), undefined, spec(), NOW), { version: "2" }));
  test("a sentence, where nobody can tell the newest, and no version by which the next answer would be nothing new", () => {
    const answer = listed("docker-ferrol-1-27-v0-sha-b", "docker-ferrol-1-27-v0-sha-a");
    const { message, ...rest } = listingAfter(answer, { version: "1" }, spec({ channel: "custom" }), NOW);
    assert.deepEqual(rest, { reason: "FailedToSync" });
    assert.match(message ?? "", /newest.*spec\.versions/);
  });
  test("stray tags told apart", () =>
    assert.deepEqual(strayTags(listed("junk", "a-b-1-27-v1").releases), ["junk"]));
});

test("nobody wants the latest release where nobody subscribed, and it is unknown until it was told", () => {
  const listing = { latest: "docker-ferrol-1-27-v5" };
  assert.equal(latestOf(spec({ autoSubscribe: false }), listing), undefined);
  assert.equal(latestOf(spec(), undefined), "unknown");
  assert.equal(latestOf(spec(), { latest: "docker-ferrol-1-27-v0-sha-a" }), "unknown");
});

describe("a release's summary says", () => {
  const conditions = (...states: readonly string[]): Condition[] =>
    states.map((state) => {
      const [type = "", status = "", reason] = state.split(" ");
      return {
        type,
        status: status as "True",
        ...(reason !== undefined && { reason }),
        lastTransitionTime: NOW,
      };
    });
  const [READY, PROVIDER, DOWNLOADED] = [
    "Ready",
    "ProviderClusterStackReleaseReady",
    "ClusterStackReleaseDownloaded",
  ];
  for (const [states, ready, phase, message] of [
    [[`${READY} True`, `${PROVIDER} True`, `${DOWNLOADED} True`], true, "done", undefined],
    [[`${READY} False X`, `${PROVIDER} True`, `${DOWNLOADED} True`], false, "applying objects", "X"],
    [[`${READY} False Y`, `${PROVIDER} False`, `${DOWNLOADED} True`], false, "provider-specific work", "Y"],
    [[`${READY} False Z`, `${DOWNLOADED} False`], false, "downloading release assets", "Z"],
    [[`${READY} False`], false, "", undefined],
    [[], false, "", undefined],
  ] as const)
    test(`${phase || "nothing"} for ${states.join(", ")}`, () =>
      assert.deepEqual(summaryOfRelease("v1", conditions(...states)), {
        name: "v1",
        ready,
        phase,
        ...(message !== undefined && { message }),
      }));
});

describe("a template", () => {
  const ref = { apiVersion: "x.io/v1", kind: "OpenStackClusterStackReleaseTemplate", name: "images" };
  for (const [name, more, sentence] of [
    ["is wanted where there is a provider", {}, /providerRef is missing/],
    ["has a kind that says so", { providerRef: { ...ref, kind: "OpenStack" } }, /must end in Template/],
    ["is more than that", { providerRef: { ...ref, kind: "Template" } }, /must end in Template/],
    ["has a name", { providerRef: { ...ref, name: "" } }, /names no object/],
  ] as const)
    test(name, () => {
      const found = templateOf(spec(more), "team");
      assert.match(typeof found === "string" ? found : "", sentence);
    });
  test("is wanted by no stack without a provider", () =>
    assert.equal(templateOf(spec({ noProvider: true, providerRef: ref }), "team"), undefined));
  test("makes an object of its kind without the suffix", () => {
    const place = templateOf(spec({ providerRef: ref }), "team");
    assert.ok(typeof place === "object");
    assert.deepEqual(place.template, { ...ref, namespace: "team" });
    const stack = {
      apiVersion: "x/v1",
      kind: "ClusterStack",
      metadata: {
        ...{
          name: "s",
          uid: "u",
          resourceVersion: "1",
          generation: 1,
          creationTimestamp: NOW,
          finalizers: [],
          ownerReferences: [],
        },
        labels: { team: "a" },
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", mine: "1" },
      },
    };
    const template = {
      apiVersion: "x.io/v1",
      kind: "T",
      metadata: { uid: "t" },
      spec: { template: { metadata: { labels: { team: "b", more: "c" }, uid: "v" }, spec: { images: [] } } },
    };
    assert.deepEqual(providerRelease(template, stack, place.release, "docker-ferrol-1-27-v1"), {
      apiVersion: "x.io/v1",
      kind: "OpenStackClusterStackRelease",
      metadata: {
        name: "docker-ferrol-1-27-v1",
        labels: { team: "a", more: "c" },
        annotations: { mine: "1" },
      },
      spec: { images: [] },
    });
  });
});
