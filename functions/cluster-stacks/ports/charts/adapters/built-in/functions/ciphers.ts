import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from "node:crypto";
import { fixed } from "../../../../../../../shared/templates/functions/define.ts";
import {
  type Call,
  FunctionFault,
  type Functions,
  type TemplateFunction,
} from "../../../../../../../shared/templates/index.ts";

const buffer = (bytes: string): Buffer => Buffer.from(bytes, "latin1");
const BLOCK = 16;
/** The work of a slow function, in steps of a rendering. */
const SLOW = 200_000;

/** A key of 32 bytes: what is missing is zeros. */
function keyOf(password: string): Buffer {
  const key = Buffer.alloc(32);
  buffer(password).copy(key);
  return key;
}

function encrypted([password, text]: readonly [string, string]): string {
  if (text === "") return "";
  const start = randomBytes(BLOCK);
  const cipher = createCipheriv("aes-256-cbc", keyOf(password), start);
  return Buffer.concat([start, cipher.update(buffer(text)), cipher.final()]).toString("base64");
}

function decrypted([password, text]: readonly [string, string]): string {
  if (text === "") return "";
  const bytes = Buffer.from(text, "base64");
  try {
    const cipher = createDecipheriv("aes-256-cbc", keyOf(password), bytes.subarray(0, BLOCK));
    return Buffer.concat([cipher.update(bytes.subarray(BLOCK)), cipher.final()]).toString("latin1");
  } catch (cause) {
    throw new FunctionFault("what is to be decrypted was not encrypted with this password", { cause });
  }
}

const SEED = "com.lyndir.masterpassword";
/** The shapes of passwords, a letter for each sort of character. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  maximum: ["anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"],
  long: [
    ..."CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno".split(" "),
    ..."CvcvnoCvccCvcv CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno".split(" "),
    ..."CvccnoCvccCvcv CvccCvccnoCvcv CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno".split(" "),
    ..."CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno".split(" "),
  ],
  medium: ["CvcnoCvc", "CvcCvcno"],
  short: ["Cvcn"],
  basic: ["aaanaaan", "aannaaan", "aaannaaa"],
  pin: ["nnnn"],
};
const SORTS: Readonly<Record<string, string>> = {
  V: "AEIOU",
  C: "BCDFGHJKLMNPQRSTVWXYZ",
  v: "aeiou",
  c: "bcdfghjklmnpqrstvwxyz",
  A: "AEIOUBCDFGHJKLMNPQRSTVWXYZ",
  a: "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
  n: "0123456789",
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()",
};

const counted = (length: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
};

/** A password that follows from a master password, a user and a site. */
const derivePassword = fixed(
  ["uint32", "string", "string", "string", "string"],
  ([counter, type, password, user, site], { budget }) => {
    const shapes = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
    if (shapes === undefined) return `cannot find password template ${type}`;
    budget.step(SLOW);
    const salt = Buffer.concat([buffer(SEED), counted(user.length), buffer(user)]);
    const key = scryptSync(buffer(password), salt, 64, { N: 32_768, r: 8, p: 2, maxmem: 2 ** 27 });
    const message = Buffer.concat([
      buffer(SEED),
      counted(site.length),
      buffer(site),
      counted(Number(counter.value)),
    ]);
    const seed = createHmac("sha256", key).update(message).digest();
    const shape = shapes[(seed[0] ?? 0) % shapes.length] ?? "";
    return [...shape]
      .map((sort, index) => {
        const characters = SORTS[sort] ?? "";
        return characters[(seed[index + 1] ?? 0) % characters.length];
      })
      .join("");
  },
);

const absent = (name: string, count: 1 | 2): TemplateFunction => ({
  takes: count === 1 ? ["string"] : ["string", "string"],
  run: (_, __: Call) => {
    throw new FunctionFault(
      `${name} needs bcrypt, which is not built in: hand in the hash as a value, or configure a helm binary`,
    );
  },
});

/** Sprig's functions on passwords. */
export const ciphers: Functions = {
  encryptAES: fixed(["string", "string"], encrypted),
  decryptAES: fixed(["string", "string"], decrypted),
  derivePassword,
  bcrypt: absent("bcrypt", 1),
  htpasswd: absent("htpasswd", 2),
};
