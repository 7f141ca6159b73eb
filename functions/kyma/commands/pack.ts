import { ReveilleError } from "../../../shared/errors.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { documentsOf } from "../../../shared/manifests/documents.ts";

import { layerObjects, nameAndTag } from "../decide/manifest/index.ts";
import { isComponentName, isModuleVersion } from "../kinds/index.ts";
import { putInLayout } from "../ports/components/adapters/index.ts";
import type { Files } from "../ports/files/index.ts";

/** The version of a module as it is to be packed. */
export interface PackedVersion {
  readonly component: string;
  readonly version: string;
  /** The folder of the OCI layout. */
  readonly into: string;
  /** The images of the registry that its workloads are to use. */
  readonly images: readonly string[];
}

/** Packs the objects of files as a version of a module. Throws a `UsageError` or a `CliError` that names the file. */
export async function packVersion(
  names: readonly string[],
  { component, version, into, images }: PackedVersion,
  files: Files,
): Promise<{ readonly objects: number; readonly digest: string }> {
  if (!isComponentName(component))
    throw new UsageError(`--component ${component} names no component: write acme.com/mods/alpha-store.`);
  if (!isModuleVersion(version))
    throw new UsageError(`--version ${version} is no version: write 1.4.2, or 1.4.2-rc1.`);
  for (const image of images)
    if (nameAndTag(image) === undefined)
      throw new UsageError(
        `--image ${image} is no image with a tag, by which those that it replaces are known: write registry.example.org/store:1.4.2.`,
      );
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await files.text(name) })));
  let objects = 0;
  for (const { name, text } of texts) objects += objectsOfArtifact(name, text);
  await files.folder(into);
  const layer = texts.map(({ text }) => text.trimEnd()).join("\n---\n");
  try {
    const { ref } = await putInLayout(into, { name: component, version, layer: `${layer}\n`, images });
    return { objects, digest: ref };
  } catch (thrown) {
    if (!(thrown instanceof ReveilleError)) throw thrown;
    throw new CliError("CLI_KYMA_ARTIFACT_WRONG", `${thrown.message}: name another folder with --into.`, {
      cause: thrown,
    });
  }
}

/** The number of objects of a file. */
function objectsOfArtifact(name: string, text: string): number {
  const wrong = (why: string): CliError => new CliError("CLI_KYMA_ARTIFACT_WRONG", `${name}${why}`);
  const { documents, faults } = documentsOf(text);
  const [broken] = faults;
  if (broken !== undefined) throw wrong(`, document ${broken.number}: ${broken.message}`);
  const found = layerObjects(documents.map(({ value }) => value));
  if ("fault" in found) throw wrong(`: ${found.fault}`);
  if (found.objects.length === 0) throw wrong(" holds no object: name a file that does.");
  return found.objects.length;
}
