import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, it } from "vitest";
import { cacheFolder } from "./compiled-code.ts";

const program = join(import.meta.dirname, "main.ts");
const folder = mkdtempSync(join(tmpdir(), "reveille-compiled-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** `reveille version` in an environment that says nothing else of caches. */
async function version(environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { PATH: process.env.PATH, ...environment };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, "version"], { env });
  assert.equal(stderr, "");
  return stdout;
}

describe("the code that Node has compiled", () => {
  it("is kept among the user's own caches, and nowhere where there is no home", () => {
    assert.equal(cacheFolder({ HOME: "/home/ada" }), "/home/ada/.cache/reveille");
    assert.equal(cacheFolder({ HOME: "/home/ada", XDG_CACHE_HOME: "/caches" }), "/caches/reveille");
    assert.equal(cacheFolder({ HOME: "/home/ada", XDG_CACHE_HOME: "here" }), "/home/ada/.cache/reveille");
    assert.equal(cacheFolder({ HOME: "" }), undefined);
    assert.equal(cacheFolder({}), undefined);
  });

  it("is there at the next start", async () => {
    const said = await version({ HOME: folder });
    const [kept, ...others] = readdirSync(join(folder, ".cache/reveille/compiled"));
    assert.ok(kept?.startsWith(process.version), kept);
    assert.deepEqual(others, []);
    assert.equal(await version({ HOME: folder }), said);
  });

  it("is not missed where it cannot be kept", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    assert.match(await version({ XDG_CACHE_HOME: file }), /\d+\.\d+/);
    assert.match(await version({ HOME: folder, NODE_DISABLE_COMPILE_CACHE: "1" }), /\d+\.\d+/);
    assert.ok(!existsSync(join(file, "reveille")));
  });
});
