import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { it } from "vitest";
import { type Export, examplesOf, exportsOf, modules } from "./exports.ts";
import { blocksOf, pages, root } from "./pages.ts";

const exported = new Map(Object.entries(modules).map(([name, file]) => [name, exportsOf(file)]));
const all = (): readonly Export[] => [...exported.values()].flat();

it("every export of the package has a doc comment", () => {
  const bare = all().filter(({ comment }) => comment === "");
  assert.deepEqual(
    bare.map(({ name, file }) => `${relative(root, file)}: ${name}`),
    [],
  );
});

it("what an author writes first is shown by an example", () => {
  const shown = new Set(all().flatMap((one) => (examplesOf(one).length > 0 ? [one.name] : [])));
  const first =
    "each all changed ready own apply remove inOrder call unwatched defineKind defineSystem definePort".split(
      " ",
    );
  // `conclude`, `waitingFor` and `wakeAt` are fields of these two.
  for (const name of [...first, "defineEvent", "defineDynamic", "Outcome", "Ending", "report"])
    assert.ok(shown.has(name), `${name} has no @example`);
});

it("every example compiles in a project that has the package and the tutorial's kinds", async (t) => {
  // Inside the clone, so that zod and Node's types are found.
  mkdirSync(join(root, "build"), { recursive: true });
  const folder = mkdtempSync(join(root, "build/examples-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kinds = blocksOf("docs/your-first-function.md").find(({ text }) => text.includes("class Factor"));
  writeFileSync(join(folder, "kinds.ts"), kinds?.text ?? "");
  for (const one of all())
    for (const [index, code] of examplesOf(one).entries())
      writeFileSync(join(folder, `${one.name}-example-${index}.ts`), code);
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      paths: Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, [file]])),
    },
    include: ["."],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, "--project", folder, "--pretty", "false"], (_, stdout) =>
      resolve(stdout),
    );
  });
  assert.equal(said, "");
});

it("the package exports each name that a page imports from it", () => {
  for (const { page, line, text } of pages().flatMap(blocksOf))
    for (const [, names = "", module = ""] of text.matchAll(
      /import (?:type )?\{([^}]*)\} from "(reveille[^"]*)"/g,
    )) {
      const known = exported.get(module) ?? assert.fail(`${page}:${line}: the package has no ${module}`);
      for (const name of names.split(",").map((one) => one.trim().replace(/^type /, "")))
        assert.ok(
          name === "" || known.some((one) => one.name === name),
          `${page}:${line}: ${module} does not export ${name}`,
        );
    }
});

/** The names that the sources of a folder export. */
const sourceNames = (folder: string): readonly string[] =>
  globSync(`${folder}/**/*.ts`, {
    cwd: root,
    exclude: ["**/*.test.ts", "**/test/**", "**/testing/**"],
  }).flatMap((file) =>
    [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /^export (?:async )?(?:const|function|class) (\w+)/gm,
      ),
    ].map(([, name = ""]) => name),
  );

it("no page shows code that needs what the package keeps to itself", () => {
  const own = new Set(all().map(({ name }) => name));
  const kept = new Set(
    ["shared", "infra", "functions", "events"].flatMap(sourceNames).filter((name) => !own.has(name)),
  );
  const needed = pages()
    .filter((page) => page !== "CONTRIBUTING.md" && !page.startsWith("docs/decisions/"))
    .flatMap((page) => {
      const code = blocksOf(page).flatMap(({ language, text }) => (language === "ts" ? [text] : []));
      const text = code.join("\n");
      return [...text.matchAll(/(?<![.\w"`-])(\w+)(?=[(.])/g)]
        .map(([, name = ""]) => name)
        .filter(
          (name) =>
            kept.has(name) &&
            !new RegExp(`(?:const|function|class) ${name}\\b|\\b${name}\\b[^(.;]*=>`).test(text),
        )
        .map((name) => `${page}: ${name}`);
    });
  assert.deepEqual([...new Set(needed)], []);
});
