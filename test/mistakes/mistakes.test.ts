import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, it } from "vitest";

const folder = import.meta.dirname;
const mistakes = readdirSync(folder).filter(
  (name) => name.endsWith(".ts") && name !== "gadget.ts" && !name.endsWith(".test.ts"),
);

/** What the compiler says of every file, by file. */
const compile = (): Promise<string> =>
  new Promise((resolve) => {
    const tsc = join(folder, "../../node_modules/typescript/bin/tsc");
    execFile(
      process.execPath,
      [tsc, "--project", folder, "--noEmit", "--pretty", "false"],
      { maxBuffer: 1 << 24 },
      (_, stdout) => resolve(stdout),
    );
  });

describe("mistakes in declarations do not compile", () => {
  const said = new Map<string, string>();
  beforeAll(async () => {
    let file = "";
    for (const line of (await compile()).split("\n")) {
      file = /([\w-]+\.ts)\(\d+,\d+\): error/.exec(line)?.[1] ?? file;
      said.set(file, `${said.get(file) ?? ""}${line}\n`);
    }
  });
  for (const mistake of mistakes) {
    it(mistake, () => {
      const expected = /^\/\/ error: (.*)$/m.exec(readFileSync(join(folder, mistake), "utf8"))?.[1];
      assert.ok(expected, `${mistake} says in its first line which error it expects`);
      assert.ok(
        said.get(mistake)?.includes(expected),
        `expected an error with ${expected}, the compiler said:\n${said.get(mistake) ?? "nothing"}`,
      );
    });
  }
  it("nothing else fails", () => {
    assert.deepEqual(
      [...said.keys()].filter((file) => file !== "" && !mistakes.includes(file)),
      [],
    );
  });
});
