import { textOf } from "../../../../shared/json/fields.ts";
import { parseApiVersion } from "../../../../shared/kube/object.ts";
import { byBytes } from "../../../../shared/manifests/canonical-json.ts";
import { type Document, documentsOf } from "../../../../shared/manifests/documents.ts";
import { identityOf, objectOf } from "../../../../shared/manifests/object-of.ts";
import type { PayloadFile } from "../../../../shared/ports/payloads/index.ts";
import { PayloadError, type PayloadIssue } from "./errors.ts";
import { describeRelease, FileFault, IMAGE_REFERENCES, imagesOf, RELEASE_METADATA } from "./metadata.ts";
import type { Manifest, PayloadContents } from "./payload.ts";
import { render, TemplateError, type TemplateValues } from "./template.ts";

/** The cluster's part beside the files: their image, and the profile for which templates are filled in. */
export interface ContentsOptions {
  readonly image: string;
  readonly profile: string;
}

type Folder = Manifest["folder"];

interface Source {
  readonly folder: Folder;
  readonly file: string;
  readonly content: Uint8Array;
}

const PATH = /^(manifests|release-manifests)\/([^/]+)$/;
const MANIFEST = /\.(yaml|yml|json)$/;

/** `manifests/` first, each folder in byte order of its file names. Folders inside of them are not looked at. */
function inOrder(files: readonly PayloadFile[]): Source[] {
  return files
    .flatMap(({ path, content }) => {
      const [, folder, file] = PATH.exec(path) ?? [];
      return file !== undefined && MANIFEST.test(file) ? [{ folder: folder as Folder, file, content }] : [];
    })
    .sort((one, other) => byBytes(one.folder, other.folder) || byBytes(one.file, other.file));
}

function decodedOf(path: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (cause) {
    if (cause instanceof TypeError) throw new FileFault(path, "it is no UTF-8 text");
    throw cause;
  }
}

function named(files: readonly PayloadFile[], path: string): string {
  const found = files.find((file) => file.path === path);
  if (found === undefined) throw new FileFault(path, "it is missing");
  return decodedOf(path, found.content);
}

function manifestOf({ folder, file }: Source, { number, raw, value }: Document): Manifest | string {
  const object = objectOf(value);
  if (typeof object === "string") return object;
  const { apiVersion, kind, metadata } = object;
  const namespace = textOf(metadata.namespace);
  return {
    folder,
    file,
    document: number,
    ...parseApiVersion(apiVersion),
    kind,
    namespace,
    name: metadata.name,
    object,
    raw,
  };
}

interface Read {
  readonly manifests: readonly Manifest[];
  readonly issues: readonly PayloadIssue[];
  readonly warnings: readonly string[];
}

function readFile(source: Source, values: TemplateValues): Read {
  const path = `${source.folder}/${source.file}`;
  const decoded = decodedOf(path, source.content);
  const rendered = source.folder === "manifests" ? render(decoded, values) : { text: decoded };
  if ("unknownField" in rendered)
    return {
      manifests: [],
      issues: [],
      warnings: [
        `${path}: it asks for ${rendered.unknownField}, which only a newer version knows, and is left out`,
      ],
    };
  const { documents, faults } = documentsOf(rendered.text);
  const issues: PayloadIssue[] = faults.map(({ number, message }) => ({
    file: path,
    document: number,
    message,
  }));
  const seen = new Map<string, number>();
  const manifests: Manifest[] = [];
  for (const document of documents) {
    const manifest = manifestOf(source, document);
    const fault = (message: string): number =>
      issues.push({ file: path, document: document.number, message });
    if (typeof manifest === "string") {
      fault(manifest);
      continue;
    }
    const { group, kind, namespace, name } = manifest;
    const first = seen.get(identityOf(manifest.object));
    if (first === undefined) seen.set(identityOf(manifest.object), document.number);
    else
      fault(
        `duplicate resource: (Group: "${group}" Kind: "${kind}" ${namespace === "" ? "" : `Namespace: "${namespace}" `}Name: "${name}"), also document ${first}`,
      );
    manifests.push(manifest);
  }
  return { manifests, issues, warnings: [] };
}

function faultless<T>(issues: PayloadIssue[], path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault) issues.push(error.issue);
    else if (error instanceof TemplateError) issues.push({ file: path, message: error.message });
    else throw error;
    return undefined;
  }
}

/**
 * All that a payload says, a file a step: a real one takes seconds, so that whoever asks can do something else in between.
 * @throws PayloadError with everything that is wrong with it, not only the first.
 */
export function* readingContents(
  files: readonly PayloadFile[],
  { image, profile }: ContentsOptions,
): Generator<void, PayloadContents> {
  const issues: PayloadIssue[] = [];
  const described = faultless(issues, RELEASE_METADATA, () =>
    describeRelease(named(files, RELEASE_METADATA), image),
  );
  const images =
    described &&
    faultless(issues, IMAGE_REFERENCES, () =>
      imagesOf(named(files, IMAGE_REFERENCES), described.release.version),
    );
  if (described === undefined || images === undefined) throw new PayloadError(image, issues);
  const values: TemplateValues = { ReleaseImage: image, ClusterProfile: profile, Images: images };
  const manifests: Manifest[] = [];
  const warnings = [...described.warnings];
  for (const source of inOrder(files)) {
    const read = faultless(issues, `${source.folder}/${source.file}`, () => readFile(source, values));
    manifests.push(...(read?.manifests ?? []));
    issues.push(...(read?.issues ?? []));
    warnings.push(...(read?.warnings ?? []));
    yield;
  }
  if (issues.length > 0) throw new PayloadError(image, issues);
  return { ...described, images, manifests, warnings };
}

/** All that a payload says, in one go. @throws PayloadError */
export function contentsOf(files: readonly PayloadFile[], options: ContentsOptions): PayloadContents {
  const reading = readingContents(files, options);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}
