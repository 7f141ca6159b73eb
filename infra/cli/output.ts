import { stringify } from "yaml";
import type { OutputFormat } from "../../shared/function/command.ts";
import { UsageError } from "../../shared/function/command-errors.ts";

/** Results go here, and nothing else. */
export const print = (text: string): void => {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
};

/** Prints warnings, questions and errors on stderr: text that is no result. */
export const say = (text: string): void => {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
};

/** The value of `-o`. Throws a `UsageError`. */
export function outputFormat(text: string | undefined): OutputFormat {
  if (text === undefined || text === "json" || text === "yaml") return text;
  throw new UsageError(`-o ${text}: choose json or yaml.`);
}

/** Prints a value as JSON or YAML, or as the text for people. */
export function printAs(format: OutputFormat, value: unknown, text: () => string): void {
  if (format === "json") print(JSON.stringify(value, null, 2));
  else if (format === "yaml") print(yaml(value));
  else print(text());
}

export const yaml = (value: unknown): string =>
  stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0, aliasDuplicateObjects: false });

/** Documents of one YAML stream. */
export const yamlStream = (documents: readonly unknown[]): string => documents.map(yaml).join("---\n");

/** Prints objects as a stream of YAML documents, or as a List in JSON. */
export const printAll = (format: OutputFormat, items: readonly object[]): void =>
  print(
    format === "json"
      ? JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2)
      : yamlStream(items),
  );
