import { basename, join } from "node:path";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { fieldOf, textOf } from "../../../shared/json/fields.ts";
import { yamlOf } from "../decide/assets/yaml.ts";
import { releaseOfTag } from "../decide/names/index.ts";
import type { Charts } from "../ports/charts/index.ts";
import type { Folders } from "../ports/folders/index.ts";
import {
  isPublished,
  openedRelease,
  publishToRegistry,
  registryOf,
} from "../ports/releases/adapters/index.ts";
import { type SourceOptions, settingsOf } from "./source.ts";
import { type Verdict, verdictOn } from "./verify.ts";

const METADATA = "metadata.yaml";

/** A release in a folder, judged. */
export interface Publication {
  readonly tag: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly verdict: Verdict;
}

/** Reads and judges the release in a folder, which is called by its tag. @throws CliError */
export async function readPublication(
  folder: string,
  { folders, charts }: { readonly folders: Folders; readonly charts: Charts },
): Promise<Publication> {
  const tag = basename(folder);
  const name = releaseOfTag(tag);
  if (name === undefined)
    throw new UsageError(`${tag} is no name of a release: the folder of a release is called by its tag.`);
  const files = await folders.read(folder, (path) => !path.includes("/") && !path.startsWith("."));
  return { tag, files, verdict: await verdictOn(name, await openedRelease(files), charts) };
}

/** Puts a release into a source. Resolves with the place where it lies now. @throws CliError where a release of its tag is there already */
export async function publishRelease(
  { tag, files, verdict }: Publication,
  to: string,
  options: SourceOptions,
  { folders, now }: { readonly folders: Folders; readonly now: number },
): Promise<string> {
  const settings = settingsOf(to, options);
  if (settings.github !== undefined)
    throw new UsageError(
      `GitHub's releases are made by its own tools: \`gh release create ${tag} FOLDER/* --repo ${settings.github.repository}\`.`,
    );
  if (settings.folder !== undefined) {
    const place = join(settings.folder, tag);
    // A release is listed once its metadata is there.
    const last = [...files].sort(([one], [other]) => Number(one === METADATA) - Number(other === METADATA));
    await folders.save(place, new Map(last));
    return place;
  }
  if (settings.oci === undefined) throw new TypeError(`${to} is no source`);
  const registry = registryOf(settings.oci);
  if (await isPublished(registry, tag))
    throw new CliError(
      "CLI_STACK_RELEASE_EXISTS",
      `${to} has a release ${tag} already, and a release never changes: publish what changed as a new version.`,
    );
  await publishToRegistry(registry, tag, files, {
    "org.opencontainers.image.created": `${new Date(now).toISOString().slice(0, 19)}Z`,
    kubernetesVersion: verdict.kubernetes ?? "",
    hash: hashOf(files),
  });
  return `${to}:${tag}`;
}

/** The hash of the source, as the packer left it; empty where it left none. */
function hashOf(files: ReadonlyMap<string, Uint8Array>): string {
  const content = files.get("hashes.json");
  if (content === undefined) return "";
  return textOf(fieldOf(yamlOf("hashes.json", content).value, "clusterStack"));
}
