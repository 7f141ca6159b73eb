import { fieldOf, textOf } from "../../../../shared/json/fields.ts";
import { yamlOf } from "../assets/yaml.ts";
import { dottedText, type StackVersion, stemOf, tagOf } from "../names/index.ts";
import { filesBelow, stackHashes } from "./hashes.ts";
import type { StackSource } from "./source.ts";

/** The versions that a release is packed with. */
export interface PackedVersions {
  readonly stack: StackVersion;
  readonly addon: StackVersion;
}

type Files = ReadonlyMap<string, Uint8Array>;
/** Tells the files that a `.helmignore` takes away, by its text. */
export type Ignoring = (text: string) => (path: string) => boolean;

/** A release before it is packed: its files, and those of its archives. */
export interface ReleaseDraft {
  readonly tag: string;
  readonly files: Files;
  readonly archives: ReadonlyMap<string, Files>;
}

const CHART = "Chart.yaml";
const IGNORE = ".helmignore";
/** The file that tells providers which images a release needs. */
export const NODE_IMAGES = "node-images.yaml";
/** Files of a source that go with the release as they are; their places in it, the first that is there. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  "clusteraddon.yaml": ["clusteraddon.yaml"],
  "cluster-addon-values.yaml": ["cluster-addon-values.yaml"],
  [NODE_IMAGES]: [NODE_IMAGES, `node-images/${NODE_IMAGES}`],
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The text of a file; undefined where it is none. */
function textIn(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Puts versions in the place of `<< .ClusterClassVersion >>` and its like. */
function withVersions(content: Uint8Array, { stack, addon }: PackedVersions): Uint8Array {
  const text = textIn(content);
  if (text === undefined || !text.includes("<<")) return content;
  const versions: Readonly<Record<string, string>> = {
    ClusterClassVersion: dottedText(stack),
    ClusterAddonVersion: dottedText(addon),
    NodeImageVersion: dottedText(stack),
  };
  return bytes(
    text.replace(
      /<<-?\s*\.(ClusterClassVersion|ClusterAddonVersion|NodeImageVersion)\s*-?>>/g,
      (_, name: string) => versions[name] ?? "",
    ),
  );
}

/** The files of a chart in the folder of its name, as `helm package` lays them out, with another version. */
function chartFiles(files: Files, version: string, ignoring: Ignoring): Files {
  const isIgnored = ignoring(new TextDecoder().decode(files.get(IGNORE) ?? new Uint8Array()));
  const chart = files.get(CHART) ?? new Uint8Array();
  const folder = textOf(fieldOf(yamlOf(CHART, chart).value, "name")) || "chart";
  const kept = [...files].filter(([path]) => path === CHART || !isIgnored(path));
  return new Map(
    kept.map(([path, content]) => [
      `${folder}/${path}`,
      path === CHART ? bytes(versioned(new TextDecoder().decode(content), version)) : content,
    ]),
  );
}

/** A Chart.yaml with another version; everything else of it stays as it was written. */
function versioned(text: string, version: string): string {
  const line = `version: ${version}`;
  return /^version:.*$/m.test(text) ? text.replace(/^version:.*$/m, line) : `${text.trimEnd()}\n${line}\n`;
}

/** Lays out a release of a source with these versions. Pure: the same source gives the same release. */
export function releaseDraft(
  source: StackSource,
  versions: PackedVersions,
  ignoring: Ignoring,
): ReleaseDraft {
  const files = new Map(
    [...source.files].map(([path, content]) => [path, withVersions(content, versions)] as const),
  );
  const stem = stemOf(source.stack);
  const [stack, addon] = [dottedText(versions.stack), dottedText(versions.addon)];
  const addons = filesBelow(files, "cluster-addon");
  const beside = Object.entries(BESIDE).flatMap(([name, places]) => {
    const content = places.map((place) => files.get(place)).find((found) => found !== undefined);
    return content === undefined ? [] : [[name, content] as const];
  });
  const hasImages = beside.some(([name]) => name === NODE_IMAGES);
  const isStaged = files.has("clusteraddon.yaml");
  return {
    tag: tagOf({ ...source.stack, version: versions.stack }),
    archives: new Map([
      [`${stem}-cluster-class-${stack}.tgz`, chartFiles(filesBelow(files, "cluster-class"), stack, ignoring)],
      [
        `${stem}-cluster-addon-${addon}.tgz`,
        isStaged
          ? new Map([...addons].filter(([path]) => path.includes("/")))
          : chartFiles(addons, addon, ignoring),
      ],
    ]),
    files: new Map([
      ...beside,
      ["hashes.json", bytes(`${JSON.stringify(stackHashes(source.files), null, 2)}\n`)],
      ["metadata.yaml", bytes(metadataText(source.kubernetes, stack, addon, hasImages))],
    ]),
  };
}

const metadataText = (kubernetes: string, stack: string, addon: string, hasImages: boolean): string =>
  `apiVersion: metadata.clusterstack.x-k8s.io/v1alpha1
versions:
  clusterStack: ${stack}
  kubernetes: ${kubernetes}
  components:
    clusterAddon: ${addon}
${hasImages ? `    nodeImage: ${stack}\n` : ""}`;
