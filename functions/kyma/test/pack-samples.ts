// Packs the sources of the samples: `node functions/kyma/test/pack-samples.ts` renews samples/components.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { testLayout } from "../ports/components/test-layout.ts";

const samples = join(import.meta.dirname, "../samples");
const SOURCE = /^(?<module>.+)-(?<version>\d+\.\d+\.\d+)\.yaml$/;
const IMAGE = /image: (\S+)/g;

/** The folder of the samples' components. */
export const SAMPLE_COMPONENTS = join(samples, "components");

/** Packs each version of the samples' modules into an OCI layout; its images come from the registry for production. */
export async function packSamples(folder: string): Promise<void> {
  const sources = join(samples, "sources");
  const layout = await testLayout(folder);
  for (const file of (await readdir(sources)).sort()) {
    const { module, version } = SOURCE.exec(file)?.groups ?? {};
    if (module === undefined || version === undefined)
      throw new Error(`samples/sources/${file} is not called NAME-VERSION.yaml.`);
    const layer = await readFile(join(sources, file), "utf8");
    const images = [...layer.matchAll(IMAGE)].map(([, image = ""]) => image.replace("/dev/", "/prod/"));
    await layout.put({ name: `example.org/modules/${module}`, version, layer, images });
  }
}

if (import.meta.main) {
  await rm(SAMPLE_COMPONENTS, { recursive: true, force: true });
  await mkdir(SAMPLE_COMPONENTS, { recursive: true });
  await packSamples(SAMPLE_COMPONENTS);
}
