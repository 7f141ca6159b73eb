import { documentsOf } from "../../../../../shared/manifests/documents.ts";
import { objectOf } from "../../../../../shared/manifests/object-of.ts";
import {
  type Data,
  parseTemplate,
  type Template,
  TemplateError,
  textMap,
} from "../../../../../shared/templates/index.ts";
import { quoted } from "../../definition/index.ts";
import { FUNCTIONS, parameterData } from "../../render/index.ts";
import { parameterObject } from "../convert.ts";
import type { PackageFiles } from "../files.ts";
import { apiVersionWarnings } from "./api-versions.ts";
import { podFaults } from "./pipes.ts";
import type { Findings, Verification } from "./result.ts";

/** The variables of every template beside its parameters and pipes. */
const IMPLICIT = [
  ...["Name", "Namespace", "OperatorName", "OperatorVersion", "AppVersion"],
  ...["PlanName", "PhaseName", "StepName"],
] as const;
const KNOWN: readonly string[] = [...IMPLICIT, "Params", "Pipes"];

/** The fields that a template names, found without data. */
interface Fields {
  readonly params: readonly string[];
  readonly implicit: readonly string[];
}

/** Everything about templates that needs them read: what they name is there, and with all defaults they render to objects. */
export function renderFindings(files: PackageFiles): Findings {
  const read = Object.entries(files.templates).map(([name, text]) => readTemplate(name, text));
  const fields = read.map((one) =>
    "template" in one ? fieldsOf(one.template) : { params: [], implicit: [] },
  );
  const defined = new Set(files.params.parameters.map(({ name }) => name));
  const toggles = files.operator.tasks.flatMap(({ name = "", kind, spec }) =>
    kind === "Toggle" && (spec?.parameter ?? "") !== "" ? [{ name, parameter: spec?.parameter ?? "" }] : [],
  );
  const used = new Set([
    ...fields.flatMap(({ params }) => params),
    ...toggles.map(({ parameter }) => parameter),
  ]);
  const undefinedOnes = new Set(
    read.flatMap((one, index) => {
      const { params = [], implicit = [] } = fields[index] ?? {};
      const missing =
        params.some((name) => !defined.has(name)) || implicit.some((name) => !KNOWN.includes(name));
      return missing ? [one.name] : [];
    }),
  );
  // What names nothing that there is fails for that reason, which is told already.
  const rendered = read.flatMap((one) =>
    "template" in one && !undefinedOnes.has(one.name) ? [renderedFindings(one.template, files)] : [],
  );
  return {
    errors: [
      ...read.flatMap(({ name }, index) =>
        (fields[index]?.params ?? [])
          .filter((param) => !defined.has(param))
          .map((param) => `parameter ${quoted(param)} in template ${name} is not defined`),
      ),
      ...toggles
        .filter(({ parameter }) => !defined.has(parameter))
        .map(({ name, parameter }) => `parameter ${quoted(parameter)} in ToggleTask ${name} is not defined`),
      ...read.flatMap((one, index) =>
        "fault" in one
          ? [`template file ${quoted(one.name)} reports the following error: ${one.fault}`]
          : (fields[index]?.implicit ?? [])
              .filter((name) => !KNOWN.includes(name))
              .map((name) => `template ${one.name} defines an invalid implicit parameter ${quoted(name)}`),
      ),
      ...rendered.flatMap((one) => one.errors),
    ],
    warnings: [
      ...files.params.parameters
        .filter(({ name, trigger = "" }) => !used.has(name) && trigger === "")
        .map(({ name }) => `parameter ${quoted(name)} defined but not used.`),
      ...rendered.flatMap((one) => one.warnings),
    ],
  };
}

type Read = { readonly name: string } & ({ readonly template: Template } | { readonly fault: string });

function readTemplate(name: string, text: string): Read {
  try {
    return { name, template: parseTemplate(name, text, { functions: FUNCTIONS }) };
  } catch (error) {
    if (error instanceof TemplateError) return { name, fault: error.message };
    throw error;
  }
}

function fieldsOf(template: Template): Fields {
  const paths = template.references().flatMap(({ is, name }) => (is === "field" ? [name.split(".")] : []));
  const unique = (names: readonly (string | undefined)[]): readonly string[] => [
    ...new Set(names.filter((name) => name !== undefined)),
  ];
  return {
    params: unique(paths.flatMap(([first, second]) => (first === "Params" ? [second] : []))),
    implicit: unique(paths.map(([first]) => first)),
  };
}

function renderedFindings(template: Template, { operator, params }: PackageFiles): Verification {
  let text: string;
  try {
    text = template.execute({
      ...Object.fromEntries(IMPLICIT.map((name) => [name, name])),
      // Known already: a template may ask for a part of a version.
      OperatorName: operator.name,
      OperatorVersion: operator.operatorVersion,
      AppVersion: operator.appVersion,
      Params: Object.fromEntries(
        params.parameters.map((one): [string, Data] => {
          const { "value-type": type, default: value = "" } = parameterObject(one);
          // What is no value of its type is told as a fault of the parameter.
          return [one.name, parameterData(type, value) ?? null];
        }),
      ),
      Pipes: textMap(pipeNames(operator)),
    });
  } catch (error) {
    if (error instanceof TemplateError)
      return { errors: [`error rendering template: ${error.message}`], warnings: [] };
    throw error;
  }
  // The file of a child's parameters is no object.
  const isParameterFile = operator.tasks.some(
    ({ kind, spec }) => kind === "KudoOperator" && spec?.parameterFile === template.name,
  );
  if (isParameterFile) return { errors: podFaults(template.name, text, operator), warnings: [] };
  const fault = objectFault(text);
  return {
    errors:
      fault === undefined
        ? podFaults(template.name, text, operator)
        : [`parsing rendered YAML from ${template.name} failed: ${fault}`],
    warnings: apiVersionWarnings(template.name, text),
  };
}

function objectFault(text: string): string | undefined {
  const { documents, faults } = documentsOf(text);
  const [fault] = faults;
  if (fault !== undefined) return `document ${fault.number}: ${fault.message}`;
  for (const { number, value } of documents) {
    const object = objectOf(value);
    // A Pod of a Pipe task needs no name: it is given one.
    if (typeof object === "string" && !/^it has no metadata\.name$/.test(object))
      return `document ${number}: ${object}`;
  }
  return undefined;
}

const pipeNames = ({ tasks }: PackageFiles["operator"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    tasks.flatMap(({ kind, spec }) =>
      kind === "Pipe" ? (spec?.pipe ?? []).map(({ key = "" }) => [key, key.toLowerCase()]) : [],
    ),
  );
