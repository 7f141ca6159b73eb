import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packedComponent } from "../../../functions/kyma/ports/components/adapters/index.ts";
import { digestOf, REFERENCE_NAME } from "../../../shared/oci/documents.ts";

/** The modules that each Kyma of the fleet lists. */
export const MODULES = ["alpha", "bravo", "charlie", "delta", "echo"] as const;
export type Module = (typeof MODULES)[number];
/** The module whose versions Kymas take up one by one, each by a channel of its own. */
export const STEPPED: Module = "alpha";
export const STEPS = 12;
/** The channels of that module, in the order of their versions. */
export const channelOf = (step: number): string => `step${String.fromCharCode(97 + step)}`;
export const steppedVersion = (step: number): string => `1.${step}.0`;
/** The versions of the other modules: all begin with the first. */
export const VERSIONS = ["1.0.0", "1.1.0", "1.2.0"] as const;

export const componentOf = (module: Module): string => `acme.com/mods/${module}`;
export const versionsOf = (module: Module): readonly string[] =>
  module === STEPPED ? Array.from({ length: STEPS }, (_, step) => steppedVersion(step)) : VERSIONS;

/** The objects of a module: a ConfigMap that says its version, and of one of the modules an operator. */
function layerOf(module: Module, version: string): string {
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: module, namespace: "default" } };
  const labels = { app: module };
  const operator = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: `${module}-operator`, namespace: "default" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "operator", image: `registry.example.org/${module}:${version}` }] },
      },
    },
  };
  return [{ ...map, data: { version } }, ...(module === "echo" ? [operator] : [])]
    .map((object) => JSON.stringify(object))
    .join("\n---\n");
}

/** Writes an OCI layout with all versions of the modules into a folder. */
export async function writeLayout(folder: string): Promise<void> {
  const blobs = join(folder, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const write = (content: Uint8Array): string => {
    const digest = digestOf(content);
    writeFileSync(join(blobs, digest.replace("sha256:", "")), content);
    return digest;
  };
  const manifests: object[] = [];
  for (const module of MODULES)
    for (const version of versionsOf(module)) {
      const name = componentOf(module);
      const packed = await packedComponent({ name, version, layer: layerOf(module, version) });
      for (const { content } of packed.blobs) write(content);
      const text = Buffer.from(JSON.stringify(packed.manifest));
      manifests.push({
        mediaType: packed.manifest.mediaType,
        digest: write(text),
        size: text.byteLength,
        annotations: { [REFERENCE_NAME]: `${name}:${version}` },
      });
    }
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
}
