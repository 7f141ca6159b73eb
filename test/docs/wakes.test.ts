import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { FunctionDeclaration } from "../../shared/function/index.ts";
import { createRouter } from "../../shared/runner/router.ts";
import { blocksOf, root } from "./pages.ts";

const modules: Readonly<Record<string, string>> = {
  reveille: join(root, "index.ts"),
  "reveille/kinds": join(root, "shared/kube/kinds/index.ts"),
};

describe("docs/wakes.md", () => {
  let folder = "";
  let file = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "reveille-wakes-"));
    file = join(folder, "wakes.ts");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const text = blocksOf("docs/wakes.md")
      .filter(({ language }) => language === "ts")
      .map((block) => block.text)
      .join("\n")
      .replace(/ from "(reveille[^"]*)"/g, (_, specifier: string) => {
        const target = modules[specifier] ?? assert.fail(`the package has no ${specifier}`);
        return ` from "${target}"`;
      });
    writeFileSync(file, text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("shows declarations that compile", async () => {
    const options = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: true,
        rewriteRelativeImportExtensions: false,
        allowImportingTsExtensions: true,
        typeRoots: [join(root, "node_modules/@types")],
      },
      files: [file],
      include: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, [tsc, "--project", folder, "--pretty", "false"], (_, stdout) =>
        resolve(stdout),
      );
    });
    assert.equal(said, "");
  });

  it("tells where each line leads", async () => {
    const { pumps, mains, cheapest, firmware } = (await import(pathToFileURL(file).href)) as Readonly<
      Record<string, FunctionDeclaration>
    >;
    assert.ok(pumps && mains && cheapest && firmware);
    const rows = createRouter([pumps, mains, cheapest, firmware]).rows.map(
      ({ function: name, on, source }) => `${name}: ${on} ${source.split("/").at(-1)}`,
    );
    assert.deepEqual(rows.toSorted(), [
      "cheapest: own Tariff",
      "firmware: event release.published",
      "firmware: own Pump",
      "mains: changed Station",
      "mains: own Pump",
      "pumps: changed Tariff",
      "pumps: own Pump",
      "pumps: ready Station",
    ]);
  });
});
