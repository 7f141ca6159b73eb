import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { builtInCharts } from "../../../functions/cluster-stacks/ports/charts/adapters/built-in/index.ts";
import type { ChartSource } from "../../../functions/cluster-stacks/ports/charts/index.ts";
import type { Measure } from "../measure.ts";
import { median, short } from "../numbers.ts";

/** The weight of the largest chart that is known: its default values, its templates, and those that print. */
const VALUES = 2_500;
const TEMPLATES = 150;
const PRINTING = 18;
const ROUNDS = 30;

/** A chart as large as the largest that is known: the text of its templates says nothing. */
function generated(): ChartSource {
  const values = Array.from(
    { length: VALUES },
    (_, index) => `# -- what it is\nkey${index}:\n  enabled: ${index < PRINTING}\n  text: t`,
  );
  const template = (index: number): string =>
    `{{ if .Values.key${index}.enabled }}\nkind: ConfigMap\nmetadata: {name: a${index}}\ndata:\n${`  k: {{ include "t" . | quote }}\n`.repeat(60)}{{ end }}`;
  const texts: Readonly<Record<string, string>> = {
    "Chart.yaml": "apiVersion: v2\nname: large\nversion: 1.0.0\n",
    "values.yaml": `${values.join("\n")}\n`,
    "templates/_t.tpl": "{{ define `t` }}{{ .Chart.Name }}-{{ .Release.Name | trunc 63 }}{{ end }}",
    ...Object.fromEntries(
      Array.from({ length: TEMPLATES }, (_, index) => [`templates/${index}.yaml`, template(index)]),
    ),
  };
  return { files: new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])) };
}

/** The largest package in the folder that CONFORMANCE_DATA names; else the generated one. */
function largest(): { readonly name: string; readonly source: ChartSource } {
  const data = process.env.CONFORMANCE_DATA;
  const [most] = globSync("cluster-stack/**/charts/*.tgz", { cwd: data ?? "/nowhere" }).sort(
    (one, other) => statSync(join(data ?? "", other)).size - statSync(join(data ?? "", one)).size,
  );
  return most === undefined
    ? { name: "a generated chart", source: generated() }
    : {
        name: `the chart ${basename(most, ".tgz")}`,
        source: { packed: readFileSync(join(data ?? "", most)) },
      };
}

/** A large chart unpacked, read and rendered anew each time, without the keys that it makes: they are the machine's, not ours. */
export const charts: Measure = {
  name: "charts",
  run: async () => {
    const { name, source } = largest();
    const keys: KeyObject[] = [];
    const rsaKey = (bits: number): KeyObject => {
      keys[0] ??= generateKeyPairSync("rsa", { modulusLength: bits }).privateKey;
      return keys[0];
    };
    const renderer = builtInCharts({ rsaKey });
    const request = { values: {}, releaseName: "bench", namespace: "bench", includeCrds: true };
    rsaKey(2048);
    const once = async (): Promise<{ readonly cost: number; readonly documents: number }> => {
      const before = process.threadCpuUsage();
      const { documents } = await renderer.render(source, request);
      const { user, system } = process.threadCpuUsage(before);
      return { cost: (user + system) / 1000, documents: documents.length };
    };
    const first = await once();
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) costs.push((await once()).cost);
    return [
      {
        budget: `${name} rendered, ${first.documents} documents: ≤ 150 ms`,
        measured: `${short(median(costs))} ms, the first time ${short(first.cost)} ms`,
        ok: median(costs) <= 150,
      },
    ];
  },
};
