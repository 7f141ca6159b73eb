import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, test } from "vitest";
import {
  buildLambda,
  buildLambdas,
  deployedSystems,
  exportedSystems,
} from "../../infra/deploy/aws/bundles.ts";
import { unitsOf } from "../../infra/deploy/aws/units.ts";

const folder = mkdtempSync(join(tmpdir(), "reveille-bundles-"));
let built: Awaited<ReturnType<typeof buildLambdas>>;
beforeAll(async () => {
  built = await buildLambdas(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("each Lambda is one module within a megabyte, whose import asks for nothing", async () => {
  assert.deepEqual(
    built.map(({ name }) => name),
    unitsOf(await deployedSystems()).map(({ name }) => name),
  );
  for (const { name, file, bytes } of built) {
    assert.equal(readFileSync(file).length, bytes);
    assert.ok(bytes <= 1_000_000, `${name} has ${bytes} bytes: look at what it imports`);
  }
  // Without settings or a role the import is well all the same: only an invocation reads them.
  const [first] = built;
  const { handler } = (await import(pathToFileURL(first?.file ?? "").href)) as {
    readonly handler: (event: unknown, context: unknown) => Promise<unknown>;
  };
  await assert.rejects(
    handler({}, { getRemainingTimeInMillis: () => 1000 }),
    /workQueue, timerQueue and table|bus\.sqs/,
  );
});

test("a Lambda carries what stands behind ports only where it runs a function of that system", async () => {
  const all = await exportedSystems();
  const [first] = all.filter(({ adapters }) => adapters !== undefined);
  assert.ok(first !== undefined);
  const unpacksTar = async (name: string): Promise<boolean> => {
    const unit = unitsOf([first.system]).find((one) => one.name === name);
    const { file } = await buildLambda(unit ?? assert.fail(name), [first], join(folder, `${name}.mjs`));
    return readFileSync(file, "utf8").includes("Invalid tar header");
  };
  assert.equal(await unpacksTar(first.system.functions[0]?.name ?? ""), true);
  assert.equal(await unpacksTar("commands"), false);
  assert.equal(await unpacksTar("timers"), false);
});

test("a Lambda carries WebSockets where its function runs commands in containers", async () => {
  const units = unitsOf(await deployedSystems());
  const executes = units.filter(({ declaration }) => declaration?.executes !== undefined);
  assert.ok(executes.length > 0);
  for (const unit of [...executes, ...units.filter(({ sort }) => sort !== "function")]) {
    const { file = "" } = built.find(({ name }) => name === unit.name) ?? {};
    const text = readFileSync(file, "utf8");
    assert.equal(text.includes("Sec-WebSocket-Key"), executes.includes(unit), unit.name);
  }
});

test("a Lambda carries what its own function comes to use, and nothing of the others of its system", async () => {
  const all = await exportedSystems();
  const textOf = async (name: string): Promise<string> => {
    const unit = unitsOf(all.map(({ system }) => system)).find((one) => one.name === name);
    const own = all.filter(({ system }) => system.name === unit?.system);
    const { file } = await buildLambda(unit ?? assert.fail(name), own, join(folder, `${name}.mjs`));
    assert.equal(
      typeof ((await import(pathToFileURL(file).href)) as { handler: unknown }).handler,
      "function",
    );
    return readFileSync(file, "utf8");
  };
  const [renders, lists, offers] = [
    await textOf("cluster-addons"),
    await textOf("cluster-stack-sources"),
    await textOf("cluster-stacks"),
  ];
  const carries = (text: string) => ({
    patterns: text.includes("RE2JS is the JavaScript port"),
    conditions: text.includes("enableOptionalTypes"),
    sources: text.includes("api.github.com"),
  });
  assert.deepEqual(carries(renders), { patterns: true, conditions: true, sources: true });
  assert.deepEqual(carries(lists), { patterns: false, conditions: false, sources: true });
  assert.deepEqual(carries(offers), { patterns: false, conditions: false, sources: false });
});
