// The story that functions/kyma/docs.md tells: its commands one after the other, with what they print.
import assert from "node:assert/strict";
import { test } from "vitest";
import { startReveille, temporaryFolder } from "../../infra/testing/command-line.ts";
import { reveilleHere } from "../../infra/testing/in-process.ts";
import { blocksOf } from "./pages.ts";

const [start = [], story = []] = blocksOf("functions/kyma/docs.md")
  .filter(({ language }) => language === "sh")
  .map(({ text }) => text.trim().split("\n"));
const LIMIT = 30_000;

/** What each command is to say in the end. */
const SAYS: readonly RegExp[] = [
  /garden: Ready[\s\S]*greeter +regular +1\.0\.0 +Ready[\s\S]*audit +\(each cluster\) +1\.0\.0 +Ready/,
  /garden +garden +Ready +yes[\s\S]*meadow +meadow +Ready +yes/,
  /garden +(open|closed)[\s\S]*meadow +(open|closed)/,
  /ledger is to be installed from channel fast/,
  /letterbox is to be removed/,
  /letterbox .*Letterbox to be deleted: greeter\/greetings/,
  /greeter is to be removed/,
  /Kyma kcp-system\/garden[\s\S]*Modules=True/,
];

test("the page of Kyma brings modules into two runtimes, and takes them away in order", async (t) => {
  const folder = temporaryFolder(t);
  const wordsOf = (line: string): readonly string[] =>
    line
      .replace(/^npx reveille /, "")
      .replaceAll(".reveille", folder)
      .split(" ");
  const dev = startReveille(t, [...wordsOf(start[0] ?? ""), "--data", folder]);
  await dev.says("It stays up");
  assert.equal(story.length, SAYS.length);
  for (const [index, line] of story.entries()) {
    const words = line.includes("--kubeconfig") ? wordsOf(line) : [...wordsOf(line), "--data", folder];
    const expected = SAYS[index] ?? /never/;
    const limit = Date.now() + LIMIT;
    let said: Awaited<ReturnType<typeof reveilleHere>>;
    do said = await reveilleHere(words);
    while (!expected.test(said.stdout) && Date.now() < limit);
    assert.equal(said.code, 0, `${line}: ${said.stderr}`);
    assert.match(said.stdout, expected, line);
  }
});
