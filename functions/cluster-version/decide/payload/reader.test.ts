import assert from "node:assert/strict";
import { test } from "vitest";
import type { PayloadBundle, PayloadFile } from "../../../../shared/ports/payloads/index.ts";
import { configMap, payloadFiles } from "../../test/payload-files.ts";
import { PayloadError } from "./errors.ts";
import { payloadReader } from "./reader.ts";

/** A bundle that counts how often its files are read. */
function bundleOf(
  fingerprint: string,
  files: () => readonly PayloadFile[],
): PayloadBundle & { reads: number } {
  const bundle = {
    image: "reg.example/rel@sha256:aa",
    fingerprint,
    verification: { verdict: "verified" as const },
    reads: 0,
    files: async () => {
      bundle.reads += 1;
      return files();
    },
  };
  return bundle;
}

const gated = payloadFiles({
  "manifests/a.yaml": configMap("a"),
  "manifests/b.yaml": configMap("b", { "release.openshift.io/feature-gate": "New" }),
});

test("a payload is read once, and selected from again when the gates change", async () => {
  const read = payloadReader();
  const bundle = bundleOf("1", () => gated);
  const options = { featureSet: "", featureGates: new Set<string>() };
  const [first, second] = await Promise.all([read(bundle, options), read(bundle, options)]);
  assert.equal(first, second);
  const more = await read(bundle, { ...options, featureGates: new Set(["New"]) });
  assert.deepEqual(
    [first, more].map(({ manifests }) => manifests.map(({ name }) => name)),
    [["a"], ["a", "b"]],
  );
  assert.notEqual(first.versionHash, more.versionHash);
  assert.equal(bundle.reads, 1);
});

test("templates know the image and the profile, so neither is mistaken for another", async () => {
  const read = payloadReader();
  const files = payloadFiles({
    "manifests/a.yaml": configMap("a", {
      profile: "{{.ClusterProfile}}",
      "include.release.openshift.io/edge": "true",
    }),
  });
  const bundle = bundleOf("1", () => files);
  const profiles = await Promise.all(
    [{}, { profile: "edge" }].map(
      async (options) => (await read(bundle, options)).manifests[0]?.object.metadata.annotations?.profile,
    ),
  );
  assert.deepEqual(profiles, ["self-managed-high-availability", "edge"]);
});

test("only the last payloads are kept", async () => {
  const read = payloadReader(2);
  const bundles = ["1", "2", "3"].map((fingerprint) => bundleOf(fingerprint, () => gated));
  for (const bundle of [...bundles, ...bundles.slice(1)]) await read(bundle, {});
  assert.deepEqual(
    bundles.map(({ reads }) => reads),
    [1, 1, 1],
  );
  for (const bundle of bundles.slice(0, 1)) await read(bundle, {});
  assert.deepEqual(
    bundles.map(({ reads }) => reads),
    [2, 1, 1],
  );
});

test("an invalid payload stays invalid without being read again; one that could not be fetched is asked for again", async () => {
  const read = payloadReader();
  const invalid = bundleOf("1", () => []);
  for (const _ of [1, 2]) await assert.rejects(read(invalid, {}), PayloadError);
  assert.equal(invalid.reads, 1);
  const away = bundleOf("2", () => {
    if (away.reads === 1) throw new Error("the disk is away");
    return gated;
  });
  await assert.rejects(read(away, {}), /the disk is away/);
  assert.equal((await read(away, {})).manifests.length, 2);
});

test("other work has its turn while a payload is read", async () => {
  const files = payloadFiles(
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`manifests/${n}.yaml`, configMap(`${n}`)])),
  );
  let turns = 0;
  let over = false;
  const other = (async () => {
    for (; !over; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  })();
  await payloadReader()(
    bundleOf("1", () => files),
    {},
  );
  over = true;
  await other;
  assert(turns >= 20, `${turns} turns`);
});
