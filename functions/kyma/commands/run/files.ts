import { basename, dirname } from "node:path";
import { CliError } from "../../../../shared/function/command-errors.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { Kyma, ModuleReleaseMeta, ModuleTemplate } from "../../kinds/index.ts";
import type { Files } from "../../ports/files/contract.ts";
import { acceptedAs, isOf, type Written, writtenIn } from "../written.ts";

const CATALOG_WRONG = "CLI_KYMA_CATALOG_WRONG";
const KYMA_WRONG = "CLI_KYMA_FILE_WRONG";
const CATALOG_KINDS = [ModuleReleaseMeta, ModuleTemplate];

/** A catalog in a folder. */
export interface FolderCatalog {
  /** Its ModuleReleaseMetas and ModuleTemplates. */
  readonly objects: readonly Written[];
  /** The folder of the OCI layout with its components; undefined: they lie elsewhere. */
  readonly layout: string | undefined;
  /** Objects in its files that are no part of a catalog. */
  readonly passedOver: readonly string[];
}

/** Reads the catalog of a folder. @throws CliError that names the file, or the folder where it holds none */
export async function folderCatalog(folder: string, files: Files): Promise<FolderCatalog> {
  const paths = await files.within(folder);
  const layouts = paths.filter((path) => basename(path) === "oci-layout").map(dirname);
  if (layouts.length > 1)
    throw new CliError(
      CATALOG_WRONG,
      `${folder} holds ${layouts.length} OCI layouts (${layouts.join(", ")}): keep the components of a catalog in one.`,
    );
  const texts = await Promise.all(
    paths
      .filter((path) => /\.ya?ml$/.test(path))
      .map(async (path) => ({ path, text: await files.text(path) })),
  );
  const written = texts.flatMap(({ path, text }) => writtenIn(text, path, CATALOG_WRONG));
  const isMeant = ({ object }: Written): boolean => CATALOG_KINDS.some(({ kind }) => kind === object.kind);
  const objects = written.filter(isMeant);
  const firsts = new Map<string, Written>();
  for (const one of objects) {
    if (!CATALOG_KINDS.some((kind) => isOf(kind, one)))
      throw new CliError(
        CATALOG_WRONG,
        `${one.place}: it is a ${one.object.kind} of ${one.object.apiVersion}; write ${apiVersionOf(ModuleTemplate)}.`,
      );
    const first = firsts.get(nameOf(one.object));
    firsts.set(nameOf(one.object), one);
    if (first !== undefined)
      throw new CliError(
        CATALOG_WRONG,
        `${first.place} and ${one.place} both hold ${nameOf(one.object)}: leave one of them out.`,
      );
  }
  for (const kind of CATALOG_KINDS) acceptedAs(kind, objects, CATALOG_WRONG);
  if (!objects.some((one) => isOf(ModuleReleaseMeta, one)))
    throw new CliError(
      CATALOG_WRONG,
      `${folder} holds no ModuleReleaseMeta in a .yaml file: name the folder of a catalog.`,
    );
  return {
    objects,
    layout: layouts[0],
    passedOver: written
      .filter((one) => !isMeant(one))
      .map(({ object, place }) => `${place}: ${nameOf(object)}`),
  };
}

/** Reads the one Kyma of a file. @throws CliError that names the document */
export function kymaIn(text: string, file: string): KubeObject {
  const written = writtenIn(text, file, KYMA_WRONG);
  const other = written.find((one) => !isOf(Kyma, one));
  if (other !== undefined)
    throw new CliError(
      KYMA_WRONG,
      `${other.place}: it is a ${other.object.kind} of ${other.object.apiVersion}, no Kyma of ${apiVersionOf(Kyma)}: leave it out.`,
    );
  const [first, second] = written;
  if (first === undefined) throw new CliError(KYMA_WRONG, `${file} holds no Kyma: name a file that does.`);
  if (second !== undefined)
    throw new CliError(KYMA_WRONG, `${second.place}: it is a second Kyma; a cluster has one here.`);
  acceptedAs(Kyma, written, KYMA_WRONG);
  return first.object;
}

const apiVersionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  `${group}/${version}`;
const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;
