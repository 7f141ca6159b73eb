import { type Branch, treeText } from "../../../shared/text.ts";
import type { PackageFiles, Verification } from "../decide/package/index.ts";
import { templatesOf } from "../decide/package/index.ts";
import { wireText } from "../decide/parameters/index.ts";

/** Rows below a head, in columns as wide as they need; tabs between them, as upstream has it. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => Array.from(row[column] ?? "").length)),
  );
  return rows
    .map((row) => widths.map((width, column) => (row[column] ?? "").padEnd(width)).join("\t"))
    .join("\n");
}

/** The verdict on a package, warnings first. */
export function verificationText({ errors, warnings }: Verification): string {
  const block = (head: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [head, ...lines];
  return [
    ...block("Warnings", warnings),
    ...block("Errors", errors),
    ...(errors.length === 0 ? ["package is valid"] : []),
  ].join("\n");
}

/** The plans of a package as a tree; with the templates of each task where they are asked for. */
export function plansText({ operator }: PackageFiles, withTemplates: boolean): string {
  const tasks = new Map(operator.tasks.map((task) => [task.name, task]));
  const taskBranch = (name: string): Branch => {
    const task = tasks.get(name);
    if (!withTemplates || task === undefined) return { text: name };
    return {
      text: `[${(task.kind ?? "").toLowerCase()}]  ${name}`,
      below: templatesOf(task).map((text) => ({ text })),
    };
  };
  return treeText(
    Object.entries(operator.plans)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([plan, { strategy, phases }]) => ({
        text: `${plan} (${strategy ?? "serial"})`,
        below: (phases ?? []).map((phase) => ({
          text: `[phase]  ${phase.name ?? ""} (${phase.strategy ?? "serial"})`,
          below: (phase.steps ?? []).map((step) => ({
            text: `[step]  ${step.name ?? ""}`,
            below: (step.tasks ?? []).map(taskBranch),
          })),
        })),
      })),
    "plans",
  );
}

/** The tasks of a package as a table. */
export const tasksText = ({ operator }: PackageFiles): string =>
  tableText([
    ["Name", "Kind", "Resources"],
    ...operator.tasks.map((task) => [task.name ?? "", task.kind ?? "", `[${templatesOf(task).join(" ")}]`]),
  ]);

/** The parameters of a package as a table, by name. */
export function parametersText(
  { params }: PackageFiles,
  { descriptions, required }: { readonly descriptions: boolean; readonly required: boolean },
): string {
  const shown = params.parameters
    .filter((one) => !required || (one.required && one.default === undefined))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const oneLine = (text: string): string => text.trimEnd().replaceAll("\n", " ");
  return tableText([
    ["Name", "Default", "Required", "Immutable", ...(descriptions ? ["Description"] : [])],
    ...shown.map((one) => [
      one.name,
      oneLine((one.default && wireText(one.default)) ?? ""),
      String(one.required),
      String(one.immutable),
      ...(descriptions ? [oneLine(one.description ?? "")] : []),
    ]),
  ]);
}
