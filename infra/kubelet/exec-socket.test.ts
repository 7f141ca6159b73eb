import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { it } from "vitest";

const HERE = import.meta.dirname;

it("loads nothing for commands before the first one", async () => {
  const code = `
    import { createRequire } from "node:module";
    for (const file of process.argv.slice(1)) await import(file);
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes("/node_modules/ws/"));
    console.log(loaded.length);
  `;
  const files = [join(HERE, "../local/index.ts"), join(HERE, "kubelet.ts")];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", code, "--", ...files],
    { cwd: HERE },
  );
  assert.equal(stdout, "0\n");
});
