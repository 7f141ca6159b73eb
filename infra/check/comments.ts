// A doc comment names its subject first: "The items that are due", "True where …", "Returns …". One that begins with a question word
// or a preposition ("What is due", "Whether …", "Of a list") leaves the reader to find out what it is about, and is refused.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const REFUSED =
  "As By From How Of Said Since That Told Until What Whatever Where Whether Which Who Whoever Whom Whose Why".split(
    " ",
  );
const BEGINNING = new RegExp(`/\\*\\*\\s+(?:\\* )?(${REFUSED.join("|")})\\b`, "g");

const files = globSync("{index.ts,{events,functions,infra,shared}/**/*.ts}", {
  cwd: root,
  exclude: ["**/*.test.ts"],
}).sort();
const faults = files.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(BEGINNING)].map(({ index, 1: word }) => {
    const line = text.slice(0, index).split("\n").length;
    return `${file}:${line}: a doc comment begins with "${word}": name its subject first`;
  });
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`doc comments of ${files.length} files, ${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
