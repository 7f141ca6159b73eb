import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

/** The code of a Lambda: its module, and those beside it. */
const codeOf = (file: string): string =>
  readdirSync(dirname(file))
    .map((name) => readFileSync(join(dirname(file), name), "utf8"))
    .join("\n");

test("each Lambda loads less than a megabyte, and its import asks for nothing", async () => {
  assert.deepEqual(
    built.map(({ name }) => name),
    unitsOf(await deployedSystems()).map(({ name }) => name),
  );
  for (const { name, file, bytes, later } of built) {
    assert.equal(Buffer.byteLength(codeOf(file)) - readdirSync(dirname(file)).length + 1, bytes + later);
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
    const file = join(folder, "ports", name, "index.mjs");
    await buildLambda(unit ?? assert.fail(name), [first], file);
    return codeOf(file).includes("Invalid tar header");
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
    const text = codeOf(file);
    assert.equal(text.includes("Sec-WebSocket-Key"), executes.includes(unit), unit.name);
  }
});

test("a Lambda carries what its own function comes to use, and nothing of the others of its system", async () => {
  const all = await exportedSystems();
  const built = async (name: string) => {
    const unit = unitsOf(all.map(({ system }) => system)).find((one) => one.name === name);
    const own = all.filter(({ system }) => system.name === unit?.system);
    const file = join(folder, "uses", name, "index.mjs");
    const { bytes, later } = await buildLambda(unit ?? assert.fail(name), own, file);
    assert.equal(
      typeof ((await import(pathToFileURL(file).href)) as { handler: unknown }).handler,
      "function",
    );
    return { text: codeOf(file), bytes, later };
  };
  const [renders, lists, offers] = [
    await built("cluster-addons"),
    await built("cluster-stack-sources"),
    await built("cluster-stacks"),
  ];
  // Whoever renders charts loads what it renders them with by the first of them.
  assert.ok(renders.bytes < 800_000 && renders.later > 300_000);
  const carries = ({ text }: { readonly text: string }) => ({
    patterns: text.includes("RE2JS is the JavaScript port"),
    conditions: text.includes("enableOptionalTypes"),
    sources: text.includes("api.github.com"),
  });
  assert.deepEqual(carries(renders), { patterns: true, conditions: true, sources: true });
  assert.deepEqual(carries(lists), { patterns: false, conditions: false, sources: true });
  assert.deepEqual(carries(offers), { patterns: false, conditions: false, sources: false });
});
