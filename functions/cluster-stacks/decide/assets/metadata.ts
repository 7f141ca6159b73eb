import * as z from "zod";
import {
  dottedText,
  dottedVersion,
  type ReleaseName,
  type StackVersion,
  sameVersion,
} from "../names/index.ts";
import type { AssetFault } from "./fault.ts";
import { judged, type Read, yamlOf } from "./yaml.ts";

/** The file that says which versions a release has. */
export const METADATA = "metadata.yaml";

/** The versions of a release and of its parts. */
export interface Metadata {
  readonly stack: StackVersion;
  /** The version of Kubernetes, with its patch: `v1.30.2`. */
  readonly kubernetes: string;
  readonly addon: StackVersion;
}

const version = z
  .string()
  .refine((text) => dottedVersion(text) !== undefined, "it is no version: v1, or v1-label.patch");
const metadata = z.looseObject({
  apiVersion: z.literal("metadata.clusterstack.x-k8s.io/v1alpha1"),
  versions: z.looseObject({
    clusterStack: version,
    kubernetes: z.string().regex(/^v\d+\.\d+\.\d+$/, "it is no version of Kubernetes: v1.30.2"),
    components: z.looseObject({
      clusterAddon: version,
      // Packers leave it out, or empty, where there are no images.
      nodeImage: z.union([z.literal(""), version]).nullish(),
    }),
  }),
});

const read = (text: string): StackVersion => {
  const parsed = dottedVersion(text);
  if (parsed === undefined) throw new TypeError(`${text} was judged to be a version`);
  return parsed;
};

/** Reads the versions of a release, which must be those that its name says. */
export function metadataOf(content: Uint8Array, release: ReleaseName): Read<Metadata> {
  const document = yamlOf(METADATA, content);
  if (document.faults !== undefined) return document;
  const { value, faults } = judged(metadata, document.value, { file: METADATA });
  if (faults !== undefined) return { faults };
  const { clusterStack, kubernetes, components } = value.versions;
  const found = { stack: read(clusterStack), kubernetes, addon: read(components.clusterAddon) };
  const wrong = disagreements(found, release);
  return wrong.length > 0 ? { faults: wrong } : { value: found };
}

function disagreements({ stack, kubernetes }: Metadata, release: ReleaseName): readonly AssetFault[] {
  const says = (field: string, message: string): AssetFault => ({ file: METADATA, field, message });
  return [
    ...(sameVersion(stack, release.version)
      ? []
      : [
          says(
            "versions.clusterStack",
            `it is ${dottedText(stack)}, and the release's name says ${dottedText(release.version)}`,
          ),
        ]),
    ...(kubernetes.startsWith(`v${release.kubernetes}.`)
      ? []
      : [
          says(
            "versions.kubernetes",
            `it is ${kubernetes}, and the release's name says ${release.kubernetes}`,
          ),
        ]),
  ];
}
