import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bundle, importMilliseconds } from "../../deploy/bundle.ts";
import type { Figure, Measure } from "../measure.ts";
import { short } from "../numbers.ts";

const functions = join(import.meta.dirname, "../../../functions");

/** Each system with the runner, as a function is deployed. */
export const bundleSize: Measure = {
  name: "bundle",
  run: async ({ folder }) => {
    const systems = readdirSync(functions, { withFileTypes: true }).filter((each) => each.isDirectory());
    const figures: Figure[] = [];
    for (const { name } of systems) {
      const source = `export * from "./${name}/index.ts"; export { createRunner } from "../shared/function/runner/runner.ts"; export { createKubeClient } from "../shared/kube/http-client.ts";`;
      const { file, bytes } = await bundle({ source, from: functions }, join(folder, `${name}.mjs`));
      const milliseconds = importMilliseconds(file);
      figures.push(
        {
          budget: `bundle of ${name}, minified ≤ 1 MB`,
          measured: `${short(bytes / 1000)} kB`,
          ok: bytes <= 1_000_000,
        },
        {
          budget: `import of ${name} ≤ 150 ms`,
          measured: `${short(milliseconds)} ms`,
          ok: milliseconds <= 150,
        },
      );
    }
    return figures;
  },
};
