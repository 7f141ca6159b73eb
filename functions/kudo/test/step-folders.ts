import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { isRecord, listOf, textOf } from "../../../shared/json/fields.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";

/** A command of a step, in words. */
export interface StepCommand {
  readonly words: readonly string[];
}

/** One number of a step folder. */
export interface FolderStep {
  readonly number: string;
  /** The objects that a user applies, and those that one deletes. */
  readonly objects: readonly KubeObject[];
  readonly deleted: readonly KubeObject[];
  readonly commands: readonly StepCommand[];
  /** The objects that must come to be so, at one time. */
  readonly asserts: readonly KubeObject[];
  /** The objects that must not be so then. */
  readonly errors: readonly KubeObject[];
}

const documentsIn = (file: string): readonly KubeObject[] =>
  parseAllDocuments(readFileSync(file, "utf8")).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const object = document.toJS() as KubeObject | null;
    return object === null ? [] : [object];
  });

/** The words of a command line, as a shell takes them apart. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );

const isStep = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion.startsWith("kuttl.dev/") && kind === "TestStep";

/** The steps of a folder, in their order: files are named by their number, and by what they are for. */
export function stepsIn(folder: string): readonly FolderStep[] {
  const files = readdirSync(folder)
    .filter((file) => /^\d+-.*\.yaml$/.test(file))
    .sort();
  const numbers = [...new Set(files.map((file) => file.slice(0, file.indexOf("-"))))];
  return numbers.map((number) => {
    const read = (wanted: (name: string) => boolean): readonly KubeObject[] =>
      files
        .filter(
          (file) => file.startsWith(`${number}-`) && wanted(file.slice(number.length + 1, -".yaml".length)),
        )
        .flatMap((file) => documentsIn(join(folder, file)));
    const done = read((name) => name !== "assert" && name !== "errors");
    const told = done.filter(isStep);
    return {
      number,
      objects: done.filter((object) => !isStep(object)),
      deleted: told.flatMap((step) => listOf(step.delete) as readonly KubeObject[]),
      commands: told.flatMap(({ commands }) =>
        listOf(commands).map((one) => ({ words: wordsOf(textOf((one as { command?: unknown }).command)) })),
      ),
      asserts: read((name) => name === "assert"),
      errors: read((name) => name === "errors"),
    };
  });
}

/** True where all that is wanted is there: maps may hold more, lists hold as much. */
export function holds(wanted: unknown, live: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, index) => holds(item, live[index]))
    );
  if (!isRecord(wanted)) return wanted === live;
  return isRecord(live) && Object.entries(wanted).every(([name, value]) => holds(value, live[name]));
}
