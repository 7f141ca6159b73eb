import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { root, tableOf } from "./pages.ts";

/** Names that look like codes and are none: those of Node, TLS, and variables of the environment. */
const FOREIGN = [
  /^ERR_/,
  /^PAY_PER_REQUEST$/,
  // Of a registry that tells of a push.
  /^PUSH_ARTIFACT$/,
  // Of the library that reads YAML.
  /^DUPLICATE_KEY$/,
  /^REVEILLE_/,
  /^KUBERNETES_/,
  /^(RELEASE|OPERAND)_VERSION$/,
  // Of WebSockets.
  /^WS_ERR_/,
  /^(CERT|DEPTH|INVALID|SELF_SIGNED|UNABLE)_/,
];
/** Codes of one word; longer ones are found by their form. */
const ONE_WORD = ["TERMINAL", "UNEXPECTED"];

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** The codes that the sources hold; a system's own are the `code` of what it throws. */
function codesInSources(): ReadonlySet<string> {
  const codes = new Set<string>(
    ONE_WORD.filter((code) =>
      (read("shared/runner/errors.ts") + read("shared/function/terminal-error.ts")).includes(`"${code}"`),
    ),
  );
  const engine = globSync("{shared,infra}/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] });
  for (const file of engine.filter((one) => !/\.test\.ts$|^infra\/(testing|bench|control-plane)\//.test(one)))
    for (const [, code = ""] of read(file).matchAll(/"([A-Z]+(?:_[A-Z]+)+)"/g))
      if (!FOREIGN.some((pattern) => pattern.test(code))) codes.add(code);
  // Classes of errors that a system's commands and its library for statuses throw take their code as an argument.
  for (const file of globSync("functions/*/{commands.ts,commands/**/*.ts,ports/**/*.ts,status/*.ts}", {
    cwd: root,
  }))
    if (!file.endsWith(".test.ts"))
      for (const [, code = ""] of read(file).matchAll(/"((?:CLI|STATUS)_[A-Z_]+)"/g)) codes.add(code);
  for (const file of globSync("{functions,examples}/**/*.ts", { cwd: root }))
    for (const [, code = ""] of read(file).matchAll(/\bcode: "([A-Z_]+)"/g)) codes.add(code);
  // A KubeError makes its code of its kind.
  const kinds = /type KubeErrorKind =([^;]*);/.exec(read("shared/kube/errors.ts"))?.[1] ?? "";
  for (const [, kind = ""] of kinds.matchAll(/\| "(\w+)"/g))
    codes.add(`KUBE_${kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
  // So does a ControlPlaneError of its suffix.
  const suffixes = /code: ([^,]*),/.exec(read("infra/control-plane/errors.ts"))?.[1] ?? "";
  for (const [, suffix] of suffixes.matchAll(/"(\w+)"/g)) codes.add(`CONTROL_PLANE_${suffix}`);
  return codes;
}

it("docs/errors.md lists every error code of the sources, once, and no other", () => {
  const rows = tableOf("docs/errors.md", "code", "meaning", "what to do");
  const listed = rows.map(([code]) => /^`([A-Z_]+)`$/.exec(code ?? "")?.[1] ?? `no code: ${code}`);
  assert.ok(listed.length > 50);
  assert.deepEqual(listed.toSorted(), [...codesInSources()].sort());
  for (const [code, meaning, advice] of rows)
    assert.ok(meaning && advice, `${code} says what it means and what to do`);
});
