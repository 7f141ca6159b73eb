import { documentsOf } from "../../../../../shared/manifests/documents.ts";
import { quoted } from "../../definition/index.ts";
import { templatesOf } from "../convert.ts";
import type { PackageFiles } from "../files.ts";
import type { Findings } from "./result.ts";

/** Every template that a task names is there, and none is for nothing. */
export function templateReferenceFindings({ operator, templates }: PackageFiles): Findings {
  const needed = operator.tasks.flatMap((task) =>
    templatesOf(task).map((template) => ({ task: task.name ?? "", template })),
  );
  const used = new Set(needed.map(({ template }) => template));
  return {
    errors: needed
      .filter(({ template }) => !Object.hasOwn(templates, template))
      .map(({ task, template }) => `template ${quoted(template)} required by ${task} but is not defined`),
    warnings: Object.keys(templates)
      .filter((template) => !used.has(template) && template !== operator.namespaceManifest)
      .map((template) => `template ${quoted(template)} is not referenced from any task`),
  };
}

/** No namespace is made but the one that the package is installed in. */
export function namespaceFindings({ operator, templates }: PackageFiles): Findings {
  const { namespaceManifest } = operator;
  const strangers = Object.entries(templates)
    .filter(([name, text]) => name !== namespaceManifest && /kind:\s*Namespace/.test(text))
    .map(
      ([name]) =>
        `template ${quoted(name)} contains 'kind: Namespace' not allowed unless specified as 'NamespaceManifest'`,
    );
  const fault = namespaceManifest === "" ? undefined : manifestFault(namespaceManifest, templates);
  return { errors: fault === undefined ? strangers : [...strangers, fault] };
}

function manifestFault(name: string, templates: PackageFiles["templates"]): string | undefined {
  const said = `NamespaceManifest ${quoted(name)}`;
  const text = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (text === undefined) return `${said} not found in /templates folder`;
  const { documents, faults } = documentsOf(text);
  if (faults.length > 0) return `Unable to marshal NamespaceManifest ${quoted(name)} `;
  const [first, ...others] = documents;
  if (first === undefined) return `${said} found but does not contain a manifest`;
  if (others.length > 0)
    return `${said} found but contains ${documents.length} manifests which is greater than 1`;
  const { value } = first;
  const isNamespace =
    typeof value === "object" && value !== null && "kind" in value && value.kind === "Namespace";
  return isNamespace ? undefined : `${said} found but manifest is not kind: Namespace`;
}
