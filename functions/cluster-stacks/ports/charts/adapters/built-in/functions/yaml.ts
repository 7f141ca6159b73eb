import { documentsOf } from "../../../../../../../shared/manifests/documents.ts";
import { fixed } from "../../../../../../../shared/templates/functions/define.ts";
import {
  bytesOf,
  type Call,
  type Data,
  Dict,
  FunctionFault,
  type Functions,
  List,
  textOf,
  toValue,
  type Value,
} from "../../../../../../../shared/templates/index.ts";
import { toYamlIndented, toYamlSigs } from "../../../../../../../shared/templates/yaml.ts";

const withoutBreak = (text: string): string => (text.endsWith("\n") ? text.slice(0, -1) : text);

/** A value as YAML without a line break behind it. @throws FunctionFault */
export function yamlText(value: Value, call: Call): string {
  return withoutBreak(String(toYamlSigs.run([value], call)));
}

/** A text instead of what cannot be written, where the name begins without `must`. */
function quietly<T>(compute: () => T, otherwise: (fault: FunctionFault) => T): T {
  try {
    return compute();
  } catch (fault) {
    if (fault instanceof FunctionFault) return otherwise(fault);
    throw fault;
  }
}

/** The value of a YAML text; nothing is null. @throws FunctionFault */
function parsed(text: string, { budget }: Call): Value {
  budget.step(text.length);
  const { documents, faults } = documentsOf(textOf(text));
  const [fault] = faults;
  if (fault !== undefined)
    throw new FunctionFault(bytesOf(`error converting YAML to JSON: yaml: ${fault.message}`));
  return toValue((documents[0]?.value ?? null) as Data);
}

const wrongType = (value: Value, wanted: string): FunctionFault =>
  new FunctionFault(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${
      value instanceof List
        ? "array"
        : typeof value === "number"
          ? "number"
          : value instanceof Dict
            ? "object"
            : typeof value === "boolean"
              ? "bool"
              : "string"
    } into Go value of type ${wanted}`,
  );

function map(value: Value): Dict {
  if (value === null || value === undefined) return new Dict();
  if (value instanceof Dict) return value;
  throw wrongType(value, "map[string]interface {}");
}
function list(value: Value): List {
  if (value === null || value === undefined) return new List([], "interface {}", true);
  if (value instanceof List) return value;
  throw wrongType(value, "[]interface {}");
}
const errorMap = ({ message }: FunctionFault): Dict => new Dict([["Error", message]]);
const errorList = ({ message }: FunctionFault): List => new List([message]);

/** The functions of charts that write and read YAML and JSON. */
export const yamlAndJson = (sprig: Functions): Functions => {
  const { toJson, mustToJson, mustFromJson } = sprig;
  if (mustFromJson === undefined || !("run" in mustFromJson)) throw new TypeError("sprig reads no JSON");
  const json = (text: string, call: Call): Value => mustFromJson.run([text], call);
  return {
    ...(toJson && { toJson }),
    ...(mustToJson && { mustToJson }),
    toYaml: fixed(["interface {}"], ([value], call) =>
      quietly(
        () => yamlText(value, call),
        () => "",
      ),
    ),
    mustToYaml: fixed(["interface {}"], ([value], call) => yamlText(value, call)),
    toYamlPretty: fixed(["interface {}"], ([value], call) =>
      quietly(
        () => withoutBreak(String(toYamlIndented.run([value], call))),
        () => "",
      ),
    ),
    fromYaml: fixed(["string"], ([text], call) => quietly<Value>(() => map(parsed(text, call)), errorMap)),
    fromYamlArray: fixed(["string"], ([text], call) =>
      quietly<Value>(() => list(parsed(text, call)), errorList),
    ),
    fromJson: fixed(["string"], ([text], call) => quietly<Value>(() => map(json(text, call)), errorMap)),
    fromJsonArray: fixed(["string"], ([text], call) =>
      quietly<Value>(() => list(json(text, call)), errorList),
    ),
  };
};
