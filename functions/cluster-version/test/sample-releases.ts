import { join } from "node:path";
import { storedPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import type { Payloads } from "../../../shared/ports/payloads/index.ts";

/** The releases of the samples, whose pods become ready at once. */
export function hastened(): Payloads {
  const folder = join(import.meta.dirname, "../samples/releases");
  const stored = storedPayloads({ folder });
  return {
    async load(image) {
      const bundle = await stored.load(image);
      const files = async () =>
        (await bundle.files()).map(({ path, content }) => ({
          path,
          content: Buffer.from(
            Buffer.from(content)
              .toString("utf8")
              .replaceAll(/ready-after: \d+s/g, "ready-after: 0s"),
          ),
        }));
      return { ...bundle, files };
    },
  };
}
