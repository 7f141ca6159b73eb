import { globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageObjects, readPackage } from "../../../functions/kudo/decide/package/index.ts";
import { contextOf, renderText } from "../../../functions/kudo/decide/render/index.ts";
import type { OperatorVersionSpec } from "../../../functions/kudo/kinds/index.ts";
import { storedPackages } from "../../../functions/kudo/ports/packages/adapters/index.ts";
import type { Measure } from "../measure.ts";
import { median, short } from "../numbers.ts";

/** The weight of the largest known package: so many bytes of templates, in so many files, with so many actions. */
const BYTES = 20_000;
const FILES = 6;
const ACTIONS = 60;
const ROUNDS = 30;

/** A package as large as the largest that is known: the text of its templates says nothing. */
function generated(): OperatorVersionSpec {
  const each = ACTIONS / FILES;
  const filler = `# ${"x".repeat(76)}\n`.repeat(Math.floor(BYTES / FILES / 79));
  const actions = Array.from({ length: each }, (_, index) =>
    index % 5 === 4
      ? `{{ if eq .Params.P${index} "value" }}on{{ end }}{{ range until 3 }}{{ . }}{{ end }}`
      : `  field-${index}: "{{ .Params.P${index} | upper | quote }} {{ .Name }}"`,
  ).join("\n");
  return {
    operator: { name: "large" },
    version: "1.0.0",
    parameters: Array.from({ length: each }, (_, index) => ({ name: `P${index}`, default: "value" })),
    templates: Object.fromEntries(
      Array.from({ length: FILES }, (_, file) => [`${file}.yaml`, `${actions}\n${filler}`]),
    ),
  };
}

/** The package whose templates are longest in the folder that CONFORMANCE_DATA names; else the generated one. */
async function largest(): Promise<{ readonly name: string; readonly spec: OperatorVersionSpec }> {
  const data = process.env.CONFORMANCE_DATA;
  if (data === undefined) return { name: "a generated package", spec: generated() };
  const sized = globSync("kudo/packages/**/operator.yaml", { cwd: data }).map((path) => {
    const folder = join(data, dirname(path));
    const bytes = globSync("templates/**/*.yaml", { cwd: folder }).reduce(
      (sum, file) => sum + statSync(join(folder, file)).size,
      0,
    );
    return { folder, bytes };
  });
  const [most] = sized.sort((one, other) => other.bytes - one.bytes);
  if (most === undefined) return { name: "a generated package", spec: generated() };
  const { files } = await storedPackages().open(most.folder);
  const { operatorVersion } = packageObjects(readPackage(files));
  return {
    name: `the package ${operatorVersion.metadata.name}`,
    spec: (operatorVersion as { readonly spec: OperatorVersionSpec }).spec,
  };
}

/** The templates of a large package, read and rendered anew each time, as a step does that names all of them. */
export const render: Measure = {
  name: "render",
  run: async () => {
    const { name, spec } = await largest();
    const version = { metadata: { name: "large" }, spec };
    const templates = Object.keys(spec.templates ?? {});
    const place = { instance: "db", namespace: "shop", plan: "deploy", phase: "main", step: "first" };
    const once = (): number => {
      const before = process.threadCpuUsage();
      const data = contextOf(version, {}, place, {});
      for (const template of templates) {
        const text = renderText(version, template, data);
        if ("fault" in text) throw new Error(text.fault.message);
      }
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    const first = once();
    const costs = Array.from({ length: ROUNDS }, once);
    const bytes = Object.values(spec.templates ?? {}).reduce((sum, text) => sum + text.length, 0);
    return [
      {
        budget: `${name} rendered, ${templates.length} templates of ${short(bytes / 1000)} kB: ≤ 20 ms`,
        measured: `${short(median(costs))} ms, the first time ${short(first)} ms`,
        ok: median(costs) <= 20,
      },
    ];
  },
};
