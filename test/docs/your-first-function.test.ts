import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Stack, startStack } from "../../infra/testing/stack.ts";
import { defineSystem, type FunctionDeclaration } from "../../shared/function/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { blocksOf, root } from "./pages.ts";

const page = "docs/your-first-function.md";
const modules: Readonly<Record<string, string>> = {
  reveille: join(root, "index.ts"),
  "reveille/kinds": join(root, "shared/kube/kinds/index.ts"),
};

/** The files that the page lets one type, by name: the block's first line names it. */
const files = new Map(
  blocksOf(page).flatMap(({ text }) => {
    const name = /^(?:\/\/|#) (\S+\.(?:ts|yaml))\n/.exec(text)?.[1];
    return name === undefined ? [] : [[name, text]];
  }),
);
const file = (name: string): string => files.get(name) ?? assert.fail(`${page} has no ${name}`);

/** What a command of the page, or the compiler, printed and how it ended. */
const run = (words: readonly string[]): Promise<{ readonly failed: boolean; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [...words], (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: `${stdout}${stderr}` }),
    );
  });

/** kubectl adds the namespace that one is in. */
const apply = (stack: Stack, name: string): Promise<unknown> =>
  stack.apply(file(name).replace("metadata:\n", "metadata:\n  namespace: default\n"));

const widgets = { group: "demo.example.org", version: "v1", kind: "Widget", plural: "widgets" } as const;
const widget = { ...widgets, scope: "Namespaced" } as const;
const factor = { ...widget, kind: "Factor", plural: "factors" } as const;
const place = { namespace: "default", name: "first" };
const message = { namespace: "default", name: "first-message" };

describe("docs/your-first-function.md", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "reveille-docs-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    // Reveille itself is not installed there: it is named by its files.
    for (const [name, text] of files) {
      const resolved = text.replace(/ from "(reveille[^"]*)"/g, (_, specifier: string) => {
        const target = modules[specifier] ?? assert.fail(`the package has no ${specifier}`);
        return ` from "${pathToFileURL(target).href}"`;
      });
      writeFileSync(join(folder, name), resolved);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("types what it shows", async () => {
    const typed = join(folder, "typed");
    mkdirSync(typed);
    for (const [name, text] of files) if (name.endsWith(".ts")) writeFileSync(join(typed, name), text);
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        paths: { reveille: [modules.reveille], "reveille/kinds": [modules["reveille/kinds"]] },
      },
      include: ["."],
      exclude: [],
    };
    writeFileSync(join(typed, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { failed, output } = await run([tsc, "--project", typed, "--pretty", "false"]);
    assert.ok(!failed, output);
  });

  it("passes the test that it shows", async () => {
    const { failed, output } = await run(["--test", join(folder, "multiply.test.ts")]);
    assert.ok(!failed, output);
    assert.match(output, /pass 2/);
  });

  it("does what it tells, step by step", async (t) => {
    const { multiply } = (await import(pathToFileURL(join(folder, "index.ts")).href)) as {
      multiply: FunctionDeclaration;
    };
    const stack = await startStack({
      api: "local",
      systems: [defineSystem({ name: "mine", functions: [multiply] })],
    });
    t.onTestFinished(() => stack.stop());
    const result = async (): Promise<unknown> =>
      ((await stack.client.get(widget, place))?.status as { readonly result?: number } | undefined)?.result;
    const text = async (): Promise<unknown> => (await stack.client.get(resourceOf(ConfigMap), message))?.data;
    const edit = (what: typeof widget | typeof factor, name: string, spec: object): Promise<unknown> =>
      stack.client.patch(
        what,
        { namespace: "default", name },
        "merge",
        { spec },
        { fieldManager: "someone" },
      );

    await apply(stack, "first.yaml");
    await stack.settled();
    assert.equal(await result(), undefined);
    assert.equal(await text(), undefined);

    await apply(stack, "double.yaml");
    await stack.settled();
    assert.equal(await result(), 14);
    assert.deepEqual(await text(), { message: "good morning" });

    await edit(factor, "double", { by: 3 });
    await stack.settled();
    assert.equal(await result(), 21);

    await stack.client.delete(resourceOf(ConfigMap), message, { uid: undefined });
    await stack.settled();
    assert.deepEqual(await text(), { message: "good morning" });

    const hello = { data: { message: "hello" } };
    await stack.client.patch(resourceOf(ConfigMap), message, "merge", hello, { fieldManager: "someone" });
    await stack.settled();
    assert.deepEqual(await text(), { message: "hello" });
    const [letter] = await stack.engine.bus.deadLetters.list();
    assert.equal(letter?.function, "multiply");
    assert.equal(letter?.error.code, "KUBE_CONFLICT");

    // As the page says: a change of what it reads takes it out of the dead letters, and it fails once more.
    const before = stack.runs().length;
    await edit(factor, "double", { by: 4 });
    await stack.settled();
    assert.ok(stack.runs().length > before);
  });

  it("mends the quarrel with the effect that it shows", async (t) => {
    const forced = blocksOf(page).find(({ text }) => text.includes("force: true"))?.text ?? "";
    const before = file("index.ts");
    const after = before.replace(/ {6}effects: own\(self[\s\S]*?\n {6}\}\),\n/, forced);
    assert.notEqual(after, before);
    const source = after
      .replace('"reveille"', `"${pathToFileURL(join(root, "index.ts")).href}"`)
      .replace('"reveille/kinds"', `"${pathToFileURL(join(root, "shared/kube/kinds/index.ts")).href}"`);
    writeFileSync(join(folder, "forced.ts"), source);
    const { multiply } = (await import(pathToFileURL(join(folder, "forced.ts")).href)) as {
      multiply: FunctionDeclaration;
    };
    const stack = await startStack({
      api: "local",
      systems: [defineSystem({ name: "mine", functions: [multiply] })],
    });
    t.onTestFinished(() => stack.stop());
    await apply(stack, "double.yaml");
    await apply(stack, "first.yaml");
    await stack.settled();
    const hello = { data: { message: "hello" } };
    await stack.client.patch(resourceOf(ConfigMap), message, "merge", hello, { fieldManager: "someone" });
    await stack.settled();
    const text = await stack.client.get(resourceOf(ConfigMap), message);
    assert.deepEqual(text?.data, { message: "good morning" });
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
  });
});
