import { randomBytes } from "node:crypto";

const processName = randomBytes(9).toString("base64url");
let count = 0;

/** A name that nobody else has, on any host: cheap, since every write takes one. */
export function unique(): string {
  count += 1;
  return `${processName}${count.toString(36)}`;
}
