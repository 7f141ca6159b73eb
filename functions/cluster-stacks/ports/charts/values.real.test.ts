import assert from "node:assert/strict";
import fc from "fast-check";
import "../../../../infra/testing/seeded-properties.ts";
import { describe, it } from "vitest";
import { helmBinary, skipWithoutHelm } from "../../../../infra/testing/helm.ts";
import { chartYaml, configMap, filesOf, REQUEST } from "../../test/charts/chart.ts";
import { endingOf } from "../../test/charts/compare.ts";
import { builtInCharts } from "./adapters/built-in/index.ts";
import { helmCharts } from "./adapters/helm/index.ts";

const skip = skipWithoutHelm();
const ROUNDS = Number(process.env.CHART_ROUNDS ?? 60);

/** Few names, so that they meet: those of charts, of what they export, and others. */
const key = fc.constantFrom(
  "a",
  "b",
  "c",
  "global",
  "db",
  "low",
  "other",
  "exports",
  "data",
  "tags",
  "enabled",
);
const scalar = fc.constantFrom<unknown>(1, "x", true, false, null, null, [1, null]);
const values = fc.letrec<{ readonly map: Record<string, unknown>; readonly value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie("map")),
  map: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
})).map;

const dependency = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      version: fc.constantFrom("1.x", ">=1.0.0", "1.2.3", "2.x"),
      alias: fc.constantFrom("other", "c"),
      condition: fc.constantFrom("a", "db.enabled", "low.enabled,a", "global.a"),
      tags: fc.subarray(["a", "b"]),
      "import-values": fc.subarray<unknown>([
        "data",
        "a",
        { child: "a", parent: "b" },
        { child: "a.b", parent: "c.db" },
        // No import of global itself: helm then shares a map between two places, and what is put into one shows in the other.
      ]),
    },
    { requiredKeys: ["name", "version"] },
  );

/** A dependency, or two of which the second has another name. */
const dependencies = (name: string) =>
  fc.oneof(
    fc.constant([]),
    dependency(name).map((one) => [one]),
    fc
      .tuple(dependency(name), dependency(name))
      .map(([one, other]) => [one, { ...other, alias: `${name}2` }]),
  );

const shown = configMap({ values: ".Values", dependencies: ".Chart.Dependencies" }, "{{ .Chart.Name }}");
const chartOf = (folder: string, name: string, own: unknown, needs: readonly unknown[]) => ({
  [`${folder}Chart.yaml`]: chartYaml(name, `dependencies: ${JSON.stringify(needs)}\n`),
  [`${folder}values.yaml`]: JSON.stringify(own),
  [`${folder}templates/a.yaml`]: shown,
});

describe.skipIf(skip)("values of charts in charts", () => {
  it(`flow as with helm, ${ROUNDS} times`, async () => {
    const ours = builtInCharts();
    const theirs = helmCharts({ binary: helmBinary() });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(values, values, values, values),
        dependencies("db"),
        dependencies("low"),
        async ([given, top, middle, lowest], above, below) => {
          const files = filesOf({
            ...chartOf("", "web", top, above),
            ...chartOf("charts/db/", "db", middle, below),
            ...chartOf("charts/db/charts/low/", "low", lowest, []),
          });
          const request = { ...REQUEST, values: given };
          const [one, other] = await Promise.all([
            endingOf(ours, { files }, request),
            endingOf(theirs, { files }, request),
          ]);
          assert.deepEqual(one, other);
        },
      ),
      { numRuns: ROUNDS },
    );
  });
});
