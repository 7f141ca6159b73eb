import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { packFiles } from "../../../../shared/archive/index.ts";
import { fieldOf } from "../../../../shared/json/fields.ts";
import { chart, chartYaml, configMap, filesOf, REQUEST } from "../../test/charts/chart.ts";
import { ERRORS } from "../../test/charts/errors.ts";
import { FEATURES } from "../../test/charts/features.ts";
import { type BuiltInCharts, builtInCharts } from "./adapters/built-in/index.ts";
import { ChartError } from "./index.ts";

const rendered = async (files: Readonly<Record<string, string>>, options?: BuiltInCharts, request = {}) => {
  const { documents } = await builtInCharts(options).render(
    { files: filesOf(chart("", files).files) },
    { ...REQUEST, ...request },
  );
  return documents;
};
const data = (documents: Awaited<ReturnType<typeof rendered>>): unknown => documents[0]?.object.data;

describe("charts without helm", () => {
  it("render every feature, and refuse every fault", async () => {
    for (const { name, files, request } of FEATURES) {
      const { documents } = await builtInCharts().render(
        { files: filesOf(files) },
        { ...REQUEST, ...request },
      );
      assert.ok(documents.length > 0, name);
    }
    for (const { name, files } of ERRORS)
      await assert.rejects(builtInCharts().render({ files: filesOf(files) }, REQUEST), ChartError, name);
  });

  it("read the clock that they are given, in UTC", async () => {
    const clock = new ManualClock(Date.UTC(2024, 1, 29, 13, 5));
    const template = configMap({
      now: 'now | date "2006-01-02 15:04"',
      ago: 'toDate "2006-01-02" "2024-02-29" | ago',
    });
    assert.deepEqual(data(await rendered({ "templates/a.yaml": template }, { clock })), {
      now: '"2024-02-29 13:05"',
      ago: '"13h5m0s"',
    });
  });

  it("say that they read no TOML, and nothing of what it was", async () => {
    const files = {
      "values.yaml": "file: p = 1234",
      "templates/a.yaml": configMap({ a: "fromToml .Values.file" }),
    };
    await assert.rejects(rendered(files), (error: Error) => {
      assert.match(error.message, /fromToml is not built in/);
      assert.doesNotMatch(error.message, /1234/);
      return true;
    });
  });

  it("leave the values that they are given as they were", async () => {
    const values = { a: { b: null, c: [1] } };
    await rendered(
      { "values.yaml": "a: {b: 1}", "templates/a.yaml": "{{ $_ := set .Values.a `d` 2 }}" },
      {},
      { values },
    );
    assert.deepEqual(values, { a: { b: null, c: [1] } });
  });

  it("take a key of values that JavaScript knows for a key", async () => {
    const values = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}');
    const documents = await rendered({ "templates/a.yaml": configMap({ all: ".Values" }) }, {}, { values });
    assert.deepEqual(data(documents), { all: '{"__proto__":{"x":1},"constructor":2}' });
  });

  it("take the later of two versions of one subchart, with the templates that it has alone of the other", async () => {
    const version = (each: string) => ({
      [`charts/db-${each}/Chart.yaml`]: `apiVersion: v2\nname: db\nversion: ${each}\n`,
      [`charts/db-${each}/templates/a.yaml`]: configMap({ version: ".Chart.Version" }, "both"),
      [`charts/db-${each}/templates/${each}.yaml`]: configMap({ version: ".Chart.Version" }, each),
    });
    for (const [wanted, other] of [
      ["1.0.0", "2.0.0"],
      ["2.0.0", "1.0.0"],
    ] as const) {
      const documents = await rendered({
        "Chart.yaml": chartYaml("web", `dependencies:\n- {name: db, version: ${wanted}}\n`),
        ...version("1.0.0"),
        ...version("2.0.0"),
      });
      assert.deepEqual(
        new Map(documents.map(({ object }) => [fieldOf(object.metadata, "name"), object.data])),
        new Map([
          ["both", { version: `"${wanted}"` }],
          [wanted, { version: `"${wanted}"` }],
          [other, { version: `"${other}"` }],
        ]),
      );
    }
  });

  it("name the subchart that is missing", async () => {
    const files = { "Chart.yaml": chartYaml("web", "dependencies:\n- {name: store, version: 1.x}\n") };
    await assert.rejects(rendered(files), { code: "CHART_DEPENDENCY_MISSING", message: /store/ });
  });

  it("name file and line, and show the author's words alone", async () => {
    await assert.rejects(
      rendered({
        "templates/a.yaml": "\n\n{{ include `t` . }}",
        "templates/_t.tpl": "{{ define `t` }}{{ fail `say port` }}{{ end }}",
      }),
      {
        code: "CHART_TEMPLATE_FAILED",
        file: "web/templates/a.yaml",
        line: 3,
        message: "web/templates/a.yaml:3: say port",
      },
    );
  });

  it("end where a chart takes too much, whichever way", async () => {
    for (const [template, templates] of [
      ["{{ range until 900000 }}{{ range until 900000 }}{{ end }}{{ end }}", { steps: 10_000 }],
      ["{{ repeat 100000 `x` }}", { bytes: 50_000 }],
      ["{{ define `t` }}{{ include `t` . }}{{ end }}{{ include `t` . }}", {}],
      ["{{ tpl .Values.self . }}", {}],
      ["{{ range until 9000 }}{{ genCA `x` 1 }}{{ end }}", { steps: 400_000 }],
    ] as const)
      await assert.rejects(
        rendered(
          { "values.yaml": "self: '{{ tpl .Values.self . }}'", "templates/a.yaml": template },
          { templates },
        ),
        { code: "CHART_LIMIT", file: "web/templates/a.yaml" },
        template,
      );
  });

  it("end where a chart prints too much, or what nests too deeply", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    await assert.rejects(rendered({ "templates/a.yaml": "a: {{ repeat 900 `x` }}" }, { outputBytes: 800 }), {
      code: "CHART_LIMIT",
      message: /prints more than 800 bytes/,
    });
    for (const files of [{ "values.yaml": `a: ${deep}` }, { "templates/a.yaml": `a: ${deep}` }])
      await assert.rejects(rendered(files), { code: /^CHART_(LIMIT|UNREADABLE|OUTPUT_INVALID)$/ });
  });

  it("take patterns and schemas of anybody, in time that grows with the text alone", async () => {
    const hostile = `${"*a".repeat(40)}b`;
    const files = {
      ".helmignore": hostile,
      "values.schema.json": JSON.stringify({ properties: { a: { pattern: "^(a+)+$" } } }),
      "values.yaml": `a: ${"a".repeat(5_000)}`,
      [`deep/${"a".repeat(200)}`]: "x",
      "templates/a.yaml": `{{ .Files.Glob "${hostile}" | len }}{{ toDate "${"1".repeat(60)}" "${"1".repeat(90)}x" | date "" }}`,
    };
    await assert.rejects(rendered(files), { code: "CHART_OUTPUT_INVALID" });
  });

  it("refuse schemas that ask for what is not checked, and what lies elsewhere", async () => {
    for (const schema of [
      { unevaluatedProperties: false },
      { $ref: "https://example.org/x.json" },
      { $ref: "#" },
    ])
      await assert.rejects(rendered({ "values.schema.json": JSON.stringify(schema) }), {
        code: "CHART_UNREADABLE",
        file: "values.schema.json",
      });
  });

  it("refuse names that no release has", async () => {
    for (const request of [
      { releaseName: "-x" },
      { releaseName: "a".repeat(54) },
      { namespace: "--x" },
      { kubernetesVersion: "new" },
    ])
      await assert.rejects(rendered({}, {}, request), { code: "CHART_NOT_INSTALLABLE" });
  });
});

describe("a packed chart", () => {
  const pack = (files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> =>
    packFiles(filesOf(files));
  const refuses = async (
    packed: Uint8Array,
    code: string,
    message: RegExp,
    options?: BuiltInCharts,
  ): Promise<void> => assert.rejects(builtInCharts(options).render({ packed }, REQUEST), { code, message });

  it("lies in one folder, and brings its subcharts packed", async () => {
    const inner = await pack({
      "db/Chart.yaml": chartYaml("db"),
      "db/templates/a.yaml": configMap({ name: ".Chart.Name" }, "db"),
    });
    const packed = await pack({ "x/Chart.yaml": chartYaml("web"), "x/charts/db-1.2.3.tgz": inner });
    const { documents } = await builtInCharts().render({ packed }, REQUEST);
    assert.deepEqual(
      documents.map(({ source }) => source),
      ["web/charts/db/templates/a.yaml"],
    );
    await refuses(await pack({ "Chart.yaml": "x" }), "CHART_UNREADABLE", /in no folder/);
  });

  it("is bounded, the charts within it too", async () => {
    const big = await pack({ "db/Chart.yaml": chartYaml("db"), "db/big": "x".repeat(3_000) });
    const packed = await pack({
      "x/Chart.yaml": chartYaml("web"),
      "x/charts/a.tgz": big,
      "x/charts/b.tgz": big,
    });
    await refuses(packed, "CHART_UNREADABLE", /charts\/b\.tgz.* bytes/, { archive: { totalBytes: 5_000 } });
    await refuses(packed, "CHART_LIMIT", /more than 2 charts/, { charts: 2 });
    await refuses(Buffer.from("nothing"), "CHART_UNREADABLE", /cannot be unpacked/);
    let nested = big;
    for (let depth = 0; depth < 12; depth += 1)
      nested = await pack({ "n/Chart.yaml": chartYaml("n"), "n/charts/n.tgz": nested });
    await refuses(nested, "CHART_LIMIT", /10 levels/);
  });
});
