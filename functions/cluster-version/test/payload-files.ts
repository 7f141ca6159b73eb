import type { PayloadFile } from "../../../shared/ports/payloads/index.ts";
import { DEFAULT_PROFILE } from "../decide/payload/payload.ts";

export const INCLUDE = `include.release.openshift.io/${DEFAULT_PROFILE}`;

/** Files of a payload for tests: the two that must be there, and what is given by path. */
export function payloadFiles(
  files: Readonly<Record<string, string>>,
  {
    version = "5.1.9",
    tags = {},
  }: { readonly version?: string; readonly tags?: Readonly<Record<string, string>> } = {},
): PayloadFile[] {
  const own = {
    "release-manifests/release-metadata": JSON.stringify({ kind: "cincinnati-metadata-v0", version }),
    "release-manifests/image-references": JSON.stringify({
      apiVersion: "image.openshift.io/v1",
      kind: "ImageStream",
      metadata: { name: version },
      spec: {
        tags: Object.entries(tags).map(([name, image]) => ({
          name,
          from: { kind: "DockerImage", name: image },
        })),
      },
    }),
  };
  return Object.entries({ ...own, ...files }).map(([path, text]) => ({
    path,
    content: new TextEncoder().encode(text),
  }));
}

/** A manifest as YAML that every cluster includes. */
export const configMap = (name: string, annotations: Readonly<Record<string, string>> = {}): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "demo", annotations: { [INCLUDE]: "true", ...annotations } },
  });
