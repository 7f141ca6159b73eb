import { VALUE_TYPES } from "../../../kinds/index.ts";
import { listed, quoted } from "../../definition/index.ts";
import { defaultFault, type PackageValue, typeFault, wireText } from "../../parameters/index.ts";
import { parameterObject } from "../convert.ts";
import type { PackageFiles } from "../files.ts";
import type { PackageParameter } from "../params-yaml.ts";
import type { Findings } from "./result.ts";

const about = (name: string, reason: string): string => `parameter ${quoted(name)} ${reason}`;
const aboutGroup = (name: string, reason: string): string => `parameter group ${quoted(name)} ${reason}`;
const each = (
  { params }: PackageFiles,
  judge: (parameter: PackageParameter) => readonly string[],
): readonly string[] => params.parameters.flatMap(judge);

/** Names are unlike each other in any letters. */
export const duplicateFindings = ({ params }: PackageFiles): Findings => {
  const seen = new Set<string>();
  return {
    errors: params.parameters.flatMap(({ name }) => {
      const lower = name.toLowerCase();
      const twice = seen.has(lower);
      seen.add(lower);
      return twice ? [about(name, "has a duplicate")] : [];
    }),
  };
};

/** Names hold none of the characters that lists are parted by. */
export const nameFindings = (files: PackageFiles): Findings => ({
  errors: each(files, ({ name }) =>
    Array.from(name)
      .filter((character) => ";,".includes(character))
      .map((character) => about(name, `contains invalid character '${character}'`)),
  ),
});

/** Parameters are what they say they are. */
export const parameterFindings = (files: PackageFiles): Findings => ({
  errors: [
    ...each(files, ({ name, immutable, default: value, required }) =>
      immutable && value === undefined && !required
        ? [about(name, "is immutable but is not marked as required or has a default value")]
        : [],
    ),
    ...each(files, typeFindings),
    ...each(files, enumFindings),
    ...each(files, defaultFindings),
    ...each(files, ({ name, group = "", advanced, default: value, required }) => [
      ...(group.includes("/") ? [about(name, "has a group with invalid character '/'")] : []),
      ...(advanced === true && value === undefined && required
        ? [
            about(
              name,
              "is marked as advanced, but also as required and has no default. An advanced parameter must either be optional or have a default value",
            ),
          ]
        : []),
    ]),
    ...groupFindings(files),
  ],
});

const KNOWN: readonly string[] = VALUE_TYPES;
const typeFindings = ({ name, type }: PackageParameter): readonly string[] =>
  type === undefined || KNOWN.includes(type)
    ? []
    : [about(name, `has an unknown type ${quoted(type)}: choose one of ${KNOWN.join(", ")}`)];

function enumFindings({ name, type, enum: allowed }: PackageParameter): readonly string[] {
  if (allowed === undefined) return [];
  if (allowed.length === 0) return [about(name, "is an enum but has no allowed values")];
  return allowed.flatMap((one) => {
    const fault = valueFault(type, one);
    return fault === undefined ? [] : [about(name, `has an invalid enum value: ${fault}`)];
  });
}

/** The fault of a value as the file has it: a list is no map, and neither is a number a text that says it is one. */
function valueFault(type: PackageParameter["type"], value: PackageValue): string | undefined {
  const text = wireText(value) ?? "";
  const isText = typeof value.value === "string";
  if (type === "string" && !isText) return `type is "string" but format is invalid: ${text.trimEnd()}`;
  if (isText || type === undefined) return typeFault(type, text);
  const isList = Array.isArray(value.value);
  const isMap = typeof value.value === "object" && value.value !== null && !isList;
  if (type === "array")
    return isList ? undefined : `type is "array" but value ${text.trimEnd()} is not an array`;
  if (type === "map") return isMap ? undefined : `type is "map" but value ${text.trimEnd()} is not a map`;
  if (isList || isMap) return `type is ${quoted(type)} but format of ${text.trimEnd()} is invalid`;
  return typeFault(type, text);
}

function defaultFindings(parameter: PackageParameter): readonly string[] {
  const { name, type, default: value, enum: allowed } = parameter;
  if (value === undefined) return [];
  const fault = valueFault(type, value);
  if (fault !== undefined) return [about(name, `has an invalid default value: ${fault}`)];
  const text = wireText(value) ?? "";
  const texts = allowed?.map((one) => wireText(one) ?? "");
  if (texts !== undefined && !texts.includes(text))
    return [
      about(
        name,
        `has an invalid default value: value is ${quoted(text)}, but only allowed values are ${listed(texts)}`,
      ),
    ];
  const whole = defaultFault({ ...parameterObject(parameter), name });
  return whole === undefined ? [] : [whole];
}

function groupFindings({ params }: PackageFiles): readonly string[] {
  const names = params.groups.map(({ name }) => name);
  return [
    ...names.flatMap((name, index) => [
      ...(name.includes("/") ? [aboutGroup(name, "contains invalid character '/'")] : []),
      ...(names.indexOf(name) === index ? [] : [aboutGroup(name, "is duplicated")]),
    ]),
    ...params.parameters.flatMap(({ name, group = "" }) =>
      group === "" || names.includes(group)
        ? []
        : [about(name, `has a group ${quoted(group)} that is not defined in the group section`)],
    ),
  ];
}
