import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { fixed } from "../../../../../../../shared/templates/functions/define.ts";
import {
  FunctionFault,
  type Functions,
  Int,
  type TemplateFunction,
} from "../../../../../../../shared/templates/index.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
/** The characters of ASCII that are printed. */
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

const text = (characters: string): TemplateFunction =>
  fixed(["int"], ([{ value }], { budget }) => {
    if (value <= 0n) return "";
    budget.items(value);
    return Array.from({ length: Number(value) }, () => characters[randomInt(characters.length)]).join("");
  });

/** Sprig's functions whose answer is another one each time. */
export const random: Functions = {
  randAlphaNum: text(LETTERS + DIGITS),
  randAlpha: text(LETTERS),
  randNumeric: text(DIGITS),
  randAscii: text(ASCII),
  randBytes: fixed(["int"], ([{ value }], { budget }) => {
    if (value < 0n) throw new FunctionFault(`randBytes: ${value} is below zero`);
    budget.items(value);
    return randomBytes(Number(value)).toString("base64");
  }),
  randInt: fixed(["int", "int"], ([{ value: from }, { value: to }]) => {
    if (to <= from) throw new FunctionFault("invalid argument to Intn");
    const span = to - from;
    // Node draws from fewer than 2^48 numbers at once.
    return new Int(
      from + (span < 2n ** 47n ? BigInt(randomInt(Number(span))) : randomBytes(16).readBigUInt64BE() % span),
    );
  }),
  shuffle: fixed(["string"], ([given], { budget }) => {
    budget.step(given.length);
    const characters = [...given];
    for (let at = characters.length - 1; at > 0; at -= 1) {
      const other = randomInt(at + 1);
      [characters[at], characters[other]] = [characters[other] ?? "", characters[at] ?? ""];
    }
    return characters.join("");
  }),
  uuidv4: fixed([], () => randomUUID()),
};
