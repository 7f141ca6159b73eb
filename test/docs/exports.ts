import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./pages.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};

/** The entry points of the package, by the name under which a user imports them. */
export const modules: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(manifest.exports).flatMap(([path, { types }]) =>
    types === undefined
      ? []
      : [[join("reveille", path), join(root, types.replace("dist/", "").replace(".d.ts", ".ts"))]],
  ),
);

/** A name that an entry point exports. */
export interface Export {
  readonly name: string;
  /** The file that declares it. */
  readonly file: string;
  /** Its doc comment, without the comment's own signs; empty where it has none. */
  readonly comment: string;
}

const WORDS = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm;

/** The exports that an `index.ts` hands on, those of its own `export *` included. */
export function exportsOf(file: string): readonly Export[] {
  const text = readFileSync(file, "utf8");
  const beside = (path: string): string => join(dirname(file), path);
  const listed = [...text.matchAll(/export (?:type )?\{([^}]*)\} from "([^"]+)"/g)].flatMap(
    ([, names = "", path = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== "")
        .map((name) => exportIn(beside(path), name)),
  );
  const passed = [...text.matchAll(/export \* from "([^"]+)"/g)].flatMap(([, path = ""]) =>
    exportsOf(beside(path)),
  );
  const own = [...text.matchAll(WORDS)].map(([, name = ""]) => exportIn(file, name));
  return [...listed, ...passed, ...own];
}

function exportIn(file: string, name: string): Export {
  const text = readFileSync(file, "utf8");
  const declaration = [...text.matchAll(WORDS)].find((match) => match[1] === name);
  if (declaration === undefined) {
    const handedOn = exportsOf(file).find((one) => one.name === name);
    return handedOn ?? assert.fail(`${file} does not declare ${name}`);
  }
  const before = text.slice(0, declaration.index);
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(before)?.[1] ?? "";
  return { name, file, comment: comment.replace(/^[ \t]*\* ?/gm, "").trim() };
}

/** The code of a doc comment's examples. */
export const examplesOf = ({ comment }: Export): readonly string[] =>
  comment
    .split(/^@example\b/m)
    .slice(1)
    .map(
      (text) => /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? assert.fail(`no \`\`\`ts in the example:${text}`),
    );
