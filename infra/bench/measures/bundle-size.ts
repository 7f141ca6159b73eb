import { buildLambdas } from "../../deploy/aws/bundles.ts";
import { importMilliseconds } from "../../deploy/bundle.ts";
import type { Measure } from "../measure.ts";
import { short } from "../numbers.ts";

/** Each Lambda, as it is deployed. */
export const bundleSize: Measure = {
  name: "bundle",
  run: async ({ folder }) =>
    (await buildLambdas(folder)).flatMap(({ name, file, bytes, later }) => {
      const milliseconds = importMilliseconds(file);
      return [
        {
          budget: `bundle of ${name}, minified ≤ 1 MB`,
          measured: `${short(bytes / 1000)} kB, and ${short(later / 1000)} kB where their use begins`,
          ok: bytes <= 1_000_000,
        },
        {
          budget: `import of ${name} ≤ 150 ms`,
          measured: `${short(milliseconds)} ms`,
          ok: milliseconds <= 150,
        },
      ];
    }),
};
