import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Imports a module in a process of its own. Returns the modules that were loaded, Node's own among them. */
function loadedBy(module: string): readonly string[] {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import(process.argv[1]);
    console.log(JSON.stringify([...loaded, ...process.moduleLoadList]));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program, join(root, module)], {
    encoding: "utf8",
  });
  return JSON.parse(printed) as readonly string[];
}

test("a host loads the code of its role and its bus when it knows them, and nothing before", () => {
  const unwanted =
    /undici|@aws-sdk|@nats-io|@smithy|\/ws\/|@opentelemetry\/sdk|re2js|infra\/watcher\/watcher\.|runner\/run\.|host\/console|shared\/tls|systems\/rbac/;
  const loaded = loadedBy("infra/hosts/index.ts");
  assert.ok(loaded.some((name) => name.endsWith("infra/hosts/host.ts")));
  assert.deepEqual(
    loaded.filter((name) => unwanted.test(name)),
    [],
  );
});

test("the command line loads neither a bus nor a role before it knows its words", () => {
  const loaded = loadedBy("infra/cli/program.ts");
  assert.deepEqual(
    loaded.filter((name) =>
      /undici|@aws-sdk|@nats-io|node:sqlite|infra\/watcher\/watcher\.|runner\/run\./.test(name),
    ),
    [],
  );
});
