import { invalidPackage, type PackageFault } from "./errors.ts";
import { type OperatorFile, readOperator } from "./operator-yaml.ts";
import { type ParamsFile, readParams } from "./params-yaml.ts";
import { YamlFile } from "./yaml-file.ts";

/** A package as its files have it. */
export interface PackageFiles {
  readonly operator: OperatorFile;
  readonly params: ParamsFile;
  /** Texts by their paths below templates/. */
  readonly templates: Readonly<Record<string, string>>;
}

export const OPERATOR_FILE = "operator.yaml";
export const PARAMS_FILE = "params.yaml";
const TEMPLATES = "templates/";

/** True for the files that a package consists of; all others in its folder may belong to another one. */
export const isPackageFile = (path: string): boolean =>
  path === OPERATOR_FILE || path === PARAMS_FILE || isTemplate(path);

const isTemplate = (path: string): boolean =>
  path.startsWith(TEMPLATES) && /\.yaml/.test(path.slice(path.lastIndexOf("/") + 1));

/**
 * The package that these files are: content by path, relative to its folder.
 * @throws PackageError that names every fault with its file and place
 */
export function readPackage(files: ReadonlyMap<string, Uint8Array>): PackageFiles {
  const faults: PackageFault[] = [];
  const texts = new Map<string, string>();
  for (const [path, content] of files) {
    if (!isPackageFile(path)) continue;
    try {
      texts.set(path, new TextDecoder("utf-8", { fatal: true }).decode(content));
    } catch {
      faults.push({ file: path, message: "it is no text in UTF-8" });
    }
  }
  const read = <T>(path: string, parse: (file: YamlFile) => T): T | undefined => {
    const text = texts.get(path);
    if (text === undefined) {
      if (!files.has(path)) faults.push({ file: path, message: "file is missing" });
      return undefined;
    }
    const file = new YamlFile(path, text);
    // Of a file that is no YAML, the parser's word is enough.
    const result = file.faults.length > 0 ? undefined : parse(file);
    faults.push(...file.faults);
    return result;
  };
  const operator = read(OPERATOR_FILE, readOperator);
  const params = read(PARAMS_FILE, readParams);
  if (operator === undefined || params === undefined || faults.length > 0) throw invalidPackage(faults);
  const templates = [...texts]
    .filter(([path]) => isTemplate(path))
    .map(([path, text]) => [path.slice(TEMPLATES.length), text] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return { operator, params, templates: Object.fromEntries(templates) };
}
