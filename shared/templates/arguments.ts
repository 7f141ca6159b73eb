import type { ParameterType } from "./function.ts";
import type { Operand } from "./nodes.ts";
import { sourceOf } from "./nodes.ts";
import { type Constant, INT64 } from "./numbers.ts";
import { Complex, Dict, Int, List, typeOf, type Value } from "./values.ts";

/** An argument does not fit; the evaluator adds the place. */
export class ArgumentFault extends Error {}

/** The value of nothing as a parameter of this type takes it. */
function nilAs(type: ParameterType, message: string): Value {
  switch (type) {
    case "value":
      return undefined;
    case "interface {}":
      return null;
    case "[]interface {}":
      return new List([], "interface {}", true);
    case "map[string]interface {}":
      return new Dict([], "interface {}", true);
    default:
      throw new ArgumentFault(message);
  }
}

/** True for a map or list whose type has a name, where one of the same content without is asked for. */
const isAssignable = (value: Value, type: ParameterType): boolean =>
  (value instanceof Dict && `map[string]${value.of}` === type) ||
  (value instanceof List && `[]${value.of}` === type);

/** A value as an argument: types must be the same, Go converts none. @throws ArgumentFault */
export function fitted(value: Value, type: ParameterType): Value {
  if (type === "value") return value;
  if (value === undefined) return nilAs(type, `invalid value; expected ${type}`);
  if (type === "interface {}") return value;
  if (isAssignable(value, type)) return value;
  const have = value === null ? "interface {}" : typeOf(value);
  if (have !== type) throw new ArgumentFault(`wrong type for value; expected ${type}; got ${have}`);
  return value;
}

/** The value of a number where nothing says what kind it should be. @throws ArgumentFault */
export function idealConstant(constant: Constant): Value {
  const { text, complex, float, int } = constant;
  if (complex !== undefined) return new Complex(complex.real, complex.imaginary);
  const isHex = /^0[xX]./.test(text) && !/[pP]/.test(text);
  if (float !== undefined && !isHex && !text.startsWith("'") && /[.eEpP]/.test(text)) return float;
  if (int !== undefined) return new Int(int, "int");
  throw new ArgumentFault(`${text} overflows int`);
}

function integer(value: bigint | undefined, type: "int" | "int64" | "uint32", source: string): Value {
  if (value === undefined) throw new ArgumentFault(`expected integer; found ${source}`);
  if (type === "uint32" && (value < 0n || value > INT64.mostUnsigned))
    throw new ArgumentFault(`expected unsigned integer; found ${source}`);
  return new Int(type === "uint32" ? BigInt.asUintN(32, value) : value, type);
}

/** A literal as an argument: a number becomes what the parameter asks for. @throws ArgumentFault */
export function literalAs(operand: Operand, type: ParameterType): Value {
  const source = sourceOf(operand);
  switch (type) {
    case "value":
    case "interface {}":
      if (operand.is === "bool" || operand.is === "text") return operand.value;
      if (operand.is === "number") return idealConstant(operand.value);
      break;
    case "bool":
      if (operand.is === "bool") return operand.value;
      throw new ArgumentFault(`expected bool; found ${source}`);
    case "string":
      if (operand.is === "text") return operand.value;
      throw new ArgumentFault(`expected string; found ${source}`);
    case "float64":
      if (operand.is === "number" && operand.value.float !== undefined) return operand.value.float;
      throw new ArgumentFault(`expected float; found ${source}`);
    case "int":
    case "int64":
    case "uint32":
      return integer(operand.is === "number" ? operand.value.int : undefined, type, source);
    default:
      break;
  }
  throw new ArgumentFault(`can't handle ${source} for arg of type ${type}`);
}

/** The argument `nil`. @throws ArgumentFault */
export const nilArgument = (type: ParameterType): Value => nilAs(type, `cannot assign nil to ${type}`);
