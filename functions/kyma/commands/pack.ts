import { ReveilleError } from "../../../shared/errors.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { strictDocumentsOf } from "../../../shared/manifests/documents.ts";

import { alikeImages, layerObjects, nameAndTag } from "../decide/manifest/index.ts";
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
    throw new UsageError(
      `--version ${version} is no version: write 1.4.2, or 1.4.2-rc1, with 32 characters at most.`,
    );
  for (const image of images)
    if (nameAndTag(image) === undefined)
      throw new UsageError(
        `--image ${image} is no image with a tag, by which those that it replaces are known: write registry.example.org/store:1.4.2.`,
      );
  const [alike] = alikeImages(images);
  if (alike !== undefined)
    throw new UsageError(
      `--image ${alike[0]} and --image ${alike[1]} have one name and tag, by which those that they replace are known: give one of them another tag.`,
    );
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await files.text(name) })));
  const objects = objectsOfAll(texts);
  await files.folder(into);
  // Nothing is cut off: empty lines at the end of a file may belong to a text in it.
  const layer = texts.map(({ text }) => (text.endsWith("\n") ? text : `${text}\n`)).join("---\n");
  try {
    const { ref } = await putInLayout(into, { name: component, version, layer, images });
    return { objects, digest: ref };
  } catch (thrown) {
    if (!(thrown instanceof ReveilleError)) throw thrown;
    throw new CliError("CLI_KYMA_ARTIFACT_WRONG", `${thrown.message}: name another folder with --into.`, {
      cause: thrown,
    });
  }
}

interface Text {
  readonly name: string;
  readonly text: string;
}
const wrong = (why: string): CliError => new CliError("CLI_KYMA_ARTIFACT_WRONG", why);

/** The number of objects in files. One that stands in two of them counts once, where both have it alike. */
function objectsOfAll(texts: readonly Text[]): number {
  const all: unknown[] = [];
  let objects = 0;
  for (const one of texts) {
    all.push(...documentsOfArtifact(one));
    const found = layerObjects(all);
    const [again] = "fault" in found ? [] : found.doubled;
    if (again !== undefined)
      throw wrong(
        `${one.name}: ${again.kind} ${again.metadata.name} stands before it, and otherwise: leave one of them out.`,
      );
    objects = "fault" in found ? objects : found.objects.length;
  }
  return objects;
}

/** The documents of a file, which holds objects and nothing else. */
function documentsOfArtifact({ name, text }: Text): readonly unknown[] {
  const { documents, faults } = strictDocumentsOf(text);
  const [broken] = faults;
  if (broken !== undefined) throw wrong(`${name}, document ${broken.number}: ${broken.message}`);
  const values = documents.map(({ value }) => value);
  const found = layerObjects(values);
  if ("fault" in found) throw wrong(`${name}: ${found.fault}`);
  if (found.objects.length === 0) throw wrong(`${name} holds no object: name a file that does.`);
  return values;
}
