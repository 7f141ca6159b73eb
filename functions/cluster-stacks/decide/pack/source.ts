import * as z from "zod";
import type { AssetFault } from "../assets/index.ts";
import { judged, type Read, yamlOf } from "../assets/yaml.ts";
import type { StackName } from "../names/index.ts";

/** The file that says which stack a folder is the source of. */
export const STACK_FILE = "csctl.yaml";
/** The parts of a source; whatever else lies beside them belongs to people. */
const PARTS =
  /^(csctl\.yaml|clusteraddon\.yaml|cluster-addon-values\.yaml|node-images\.yaml|(cluster-class|cluster-addon|node-images)\/.+)$/;

/** True for a file that is part of a stack. */
export const isStackFile = (path: string): boolean => PARTS.test(path) && !/(^|\/)\.git\//.test(path);

const word = z
  .string()
  .regex(/^[^-\s]+$/, "it may hold neither dashes nor spaces: tags have no room for them");
const schema = z.looseObject({
  apiVersion: z.literal("csctl.clusterstack.x-k8s.io/v1alpha1"),
  config: z.looseObject({
    kubernetesVersion: z.string().regex(/^v\d+\.\d+\.\d+$/, "it is no version of Kubernetes: v1.30.2"),
    clusterStackName: word,
    provider: z.looseObject({ type: word }),
  }),
});

/** The source of a stack: what is packed into its releases. */
export interface StackSource {
  readonly stack: StackName;
  /** The version of Kubernetes, with its patch: `v1.30.2`. */
  readonly kubernetes: string;
  /** All files by their paths below the source's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Reads the source of a stack from the files of its folder, laid out as csctl wants them. */
export function stackSource(files: ReadonlyMap<string, Uint8Array>): Read<StackSource> {
  const content = files.get(STACK_FILE);
  if (content === undefined) return { faults: [{ file: STACK_FILE, message: "it is missing" }] };
  const document = yamlOf(STACK_FILE, content);
  if (document.faults !== undefined) return document;
  const { value, faults } = judged(schema, document.value, { file: STACK_FILE });
  if (faults !== undefined) return { faults };
  const missing = missingParts(files);
  if (missing.length > 0) return { faults: missing };
  const { kubernetesVersion, clusterStackName, provider } = value.config;
  const kubernetes = kubernetesVersion.replace(/^v(\d+\.\d+)\..*$/, "$1");
  const stack = { provider: provider.type, name: clusterStackName, kubernetes };
  return { value: { stack, kubernetes: kubernetesVersion, files } };
}

const missingParts = (files: ReadonlyMap<string, Uint8Array>): readonly AssetFault[] => {
  const wanted = [
    "cluster-class/Chart.yaml",
    ...(files.has("clusteraddon.yaml") ? [] : ["cluster-addon/Chart.yaml"]),
  ];
  return wanted.flatMap((file) => (files.has(file) ? [] : [{ file, message: "it is missing" }]));
};
