import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "vitest";
import { helmBinary, skipWithoutHelm } from "../../../../infra/testing/helm.ts";
import { filesOf as archived, packFiles } from "../../../../shared/archive/index.ts";
import { chart, filesOf, REQUEST } from "../../test/charts/chart.ts";
import { endingOf } from "../../test/charts/compare.ts";
import { ERRORS } from "../../test/charts/errors.ts";
import { FEATURES } from "../../test/charts/features.ts";
import { builtInCharts } from "./adapters/built-in/index.ts";
import { helmCharts } from "./adapters/helm/index.ts";
import type { ChartSource } from "./index.ts";

const data = process.env.CONFORMANCE_DATA;
const skip = skipWithoutHelm();

describe.skipIf(skip)("with helm and without", () => {
  const ours = builtInCharts();
  const theirs = helmCharts({ binary: skip === false ? helmBinary() : "" });
  const same = async (source: ChartSource, request = REQUEST): Promise<void> =>
    assert.deepEqual(await endingOf(ours, source, request), await endingOf(theirs, source, request));

  describe("the same objects come of", () => {
    for (const { name, files, request } of FEATURES)
      it(name, async () => {
        const all = { ...REQUEST, ...request };
        const ending = await endingOf(ours, { files: filesOf(files) }, all);
        assert("documents" in ending, JSON.stringify(ending));
        await same({ files: filesOf(files) }, all);
        const packed = await packFiles(
          new Map([...filesOf(files)].map(([path, content]) => [`any/${path}`, content])),
        );
        if (files[".helmignore"] === undefined) await same({ packed }, all);
      });
  });

  describe("the same error, at the same file and line, is told of", () => {
    for (const { name, files, request } of ERRORS)
      it(name, async () => {
        const all = { ...REQUEST, ...request };
        const ending = await endingOf(ours, { files: filesOf(files) }, all);
        assert("error" in ending);
        assert.deepEqual(ending, await endingOf(theirs, { files: filesOf(files) }, all));
      });
  });

  describe.skipIf(data === undefined)("the same objects come of the published", () => {
    const packages = globSync("cluster-stack/**/*.tgz", { cwd: data ?? "" }).sort();
    for (const path of packages.filter((one) => !one.includes("node-image")))
      it(`${basename(join(path, ".."))}/${basename(path)}`, async () => {
        const packed = readFileSync(join(data ?? "", path));
        const files = await archived(packed);
        const tops = new Set([...files.keys()].map((one) => one.split("/")[0] ?? ""));
        if (tops.size === 1) return same({ packed });
        // An archive of several charts, each in a folder.
        for (const top of tops) await same({ files: below(files, top) });
      });
    for (const folder of globSync("cluster-stack/sources/**/Chart.yaml", { cwd: data ?? "" }).map((one) =>
      join(one, ".."),
    ))
      it(`${folder}`, async () => {
        await same({ files: sourceFiles(join(data ?? "", folder)) });
      });
  });
});

const below = (files: ReadonlyMap<string, Uint8Array>, top: string): ReadonlyMap<string, Uint8Array> =>
  new Map(
    [...files].flatMap(([path, content]) =>
      path.startsWith(`${top}/`) ? [[path.slice(top.length + 1), content] as const] : [],
    ),
  );

/** A chart's folder as a release has it: what csctl replaces when it packs is replaced. */
function sourceFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  return new Map(
    globSync("**/*", { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const content = readFileSync(path);
        const name = path.slice(folder.length + 1);
        if (name.endsWith(".tgz")) return [name, content] as const;
        const text = content.toString("utf8").replace(/<< \.(\w+) >>/g, "v1");
        return [name, Buffer.from(text)] as const;
      })
      .concat(
        globSync("**/.helmignore", { cwd: folder }).map(
          (name) => [name, readFileSync(join(folder, name))] as const,
        ),
      ),
  );
}

describe.skipIf(skip)("a helm binary", () => {
  const small = {
    files: filesOf(chart("small", { "templates/a.yaml": "a: {{ range until 100000 }}x{{ end }}" }).files),
  };

  it("is ended when its time, its memory or its output is used up", async () => {
    for (const limits of [{ timeMilliseconds: 1 }, { memoryBytes: 64 * 2 ** 20 }, { outputBytes: 1000 }])
      await assert.rejects(helmCharts({ binary: helmBinary(), limits }).render(small, REQUEST), {
        code: "CHART_LIMIT",
      });
  });

  it("that does not run is told", async () => {
    await assert.rejects(helmCharts({ binary: "/nowhere/helm" }).render(small, REQUEST), {
      code: "CHART_HELM_UNUSABLE",
      message: /\/nowhere\/helm/,
    });
  });
});
