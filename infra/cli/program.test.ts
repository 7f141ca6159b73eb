import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { knownSystems } from "../systems/known.ts";
import { temporaryFolder } from "../testing/command-line.ts";
import { reveilleHere } from "../testing/in-process.ts";
import { program } from "./program.ts";

const widget = join(import.meta.dirname, "../../examples/widget/index.ts");
const toyModule = join(import.meta.dirname, "../testing/toy-system.ts");
const own = ["--systems", "none", "--functions", widget];

describe("the command line", () => {
  it("refuses a wrong flag with status 2, on stderr, and names the right one", async (_t) => {
    const { code, stdout, stderr } = await reveilleHere(["dev", "--rest"]);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /unknown option '--rest'/);
    assert.match(stderr, /--reset/);
  });

  it("refuses unknown systems and modules, and lists what there is", async (t) => {
    const folder = temporaryFolder(t);
    const system = await reveilleHere(["dev", "--data", folder, "--systems", "kodo"]);
    assert.equal(system.code, 2);
    assert.match(system.stderr, new RegExp(`choose from ${[...knownSystems(), "none"].join(", ")}\\.\n$`));
    assert.match(system.stderr, /^error: --systems kodo: there is no system "kodo"; /);
    const module = await reveilleHere(["routes", "--functions", join(folder, "nope.ts")]);
    assert.equal(module.code, 2);
    assert.match(module.stderr, /there is no such file/);
  });

  it("says where a module is wrong", async (t) => {
    const folder = temporaryFolder(t);
    const broken = join(folder, "broken.ts");
    writeFileSync(broken, "export const a = 1;\nexport const b: = 2;\n");
    const syntax = await reveilleHere(["routes", "--systems", "none", "--functions", broken]);
    assert.equal(syntax.code, 1);
    assert.match(syntax.stderr, /^error: .*broken\.ts:2 could not be loaded: /);
    const empty = join(folder, "empty.ts");
    writeFileSync(empty, "export const a = 1;\n");
    const nothing = await reveilleHere(["routes", "--systems", "none", "--functions", empty]);
    assert.match(nothing.stderr, /empty\.ts exports neither a function nor a system/);
  });

  it("refuses a kind that two systems declare differently", async (t) => {
    const clash = join(temporaryFolder(t), "clash.ts");
    const fields = "fields: { spec: z.object({ size: z.int() }) }, status: z.object({ size: z.int() })";
    writeFileSync(
      clash,
      `import { defineKind, each } from "reveille";
       import * as z from "zod";
       class Other extends defineKind({
         group: "bench.example.org", version: "v1", kind: "Widget", scope: "Namespaced", ${fields},
       }) {}
       export default each(Other).function({ name: "clash", reconcile: () => ({ status: { size: 1 } }) });`,
    );
    const { code, stderr } = await reveilleHere(["routes", ...own, "--functions", clash]);
    assert.equal(code, 1);
    assert.match(stderr, /declare the kind Widget \(widgets\.bench\.example\.org\) differently/);
  });

  it("prints version, CRDs, routes and rights for machines", async (_t) => {
    const version = await reveilleHere(["version", "-o", "json"]);
    assert.match(JSON.parse(version.stdout).reveille, /^\d+\.\d+\.\d+/);
    const crds = await reveilleHere(["crds", ...own]);
    const [crd] = parseAllDocuments(crds.stdout).map((document) => document.toJS());
    assert.equal(crd.metadata.name, "widgets.bench.example.org");
    const routes = await reveilleHere(["routes", ...own, "-o", "yaml"]);
    assert.deepEqual(
      parse(routes.stdout).map((row: { source: string; on: string }) => `${row.source} ${row.on}`),
      ["/ConfigMap child", "bench.example.org/Widget own"],
    );
    const rights = await reveilleHere(["rbac", ...own, "--function", "widget", "-n", "team"]);
    const objects = parseAllDocuments(rights.stdout).map((document) => document.toJS());
    const here = objects.filter(({ metadata }) => metadata.namespace === "team");
    assert.deepEqual(
      here.map(({ kind }) => kind),
      ["ServiceAccount", "Role", "RoleBinding"],
    );
    // Elsewhere it reads which cluster it is, and which functions are paused; nothing else.
    const elsewhere = objects.filter((object) => !here.includes(object)).flatMap(({ rules = [] }) => rules);
    assert.deepEqual(
      elsewhere.map(({ resources, resourceNames, verbs }) => [resources, resourceNames, verbs]),
      [
        [["namespaces"], ["kube-system"], ["get"]],
        [["configmaps"], ["reveille-paused"], ["get"]],
        [["configmaps"], ["reveille-paused"], ["get"]],
      ],
    );
  });

  it("prints CRDs and users of NATS for what the settings load, and flags win over the file", async (t) => {
    const config = join(temporaryFolder(t), "reveille.yaml");
    writeFileSync(
      config,
      `systems: []\nfunctions: [${widget}]\nbus: { kind: nats, nats: { prefix: garden } }\n`,
    );
    const usersIn = async (words: readonly string[], environment?: Readonly<Record<string, string>>) => {
      const { code, stdout, stderr } = await reveilleHere(["nats-users", ...words], environment);
      assert.equal(code, 0, stderr);
      return [...stdout.matchAll(/user: "?([a-z-]+)/g)].map(([, name]) => name);
    };
    const users = (prefix: string) =>
      ["watcher", "widget", "commands", "operator"].map((role) => `${prefix}-${role}`);
    assert.deepEqual((await usersIn(["--config", config])).sort(), users("garden").sort());
    assert.deepEqual((await usersIn([], { REVEILLE_CONFIG: config })).sort(), users("garden").sort());
    assert.deepEqual((await usersIn(["--config", config, "--prefix", "yard"])).sort(), users("yard").sort());
    const crds = await reveilleHere(["crds", "--config", config]);
    assert.deepEqual(
      parseAllDocuments(crds.stdout).map((document) => document.toJS().metadata.name),
      ["widgets.bench.example.org"],
    );
    const toys = await reveilleHere(["crds", "--config", config, "--functions", toyModule]);
    assert.deepEqual(
      parseAllDocuments(toys.stdout).map((document) => document.toJS().metadata.name),
      ["toys.toys.example.org", "workshops.toys.example.org"],
      toys.stderr,
    );
    writeFileSync(config, `systems: [kodo]\nfunctions: [${widget}]\n`);
    const none = await reveilleHere(["crds", "--config", config, "--systems", "none"]);
    assert.match(none.stdout, /name: widgets\./, none.stderr);
    writeFileSync(config, "bus: { kind: nats }\n");
    const wrong = await reveilleHere(["nats-users", "--config", config, "--prefix", "a.b"]);
    assert.equal(wrong.code, 2);
    assert.match(
      wrong.stderr,
      /^error: --prefix: bus\.nats\.prefix: letters, digits, - and _, 32 at most\n$/,
    );
  });

  it("says what to do where nothing ran yet", async (t) => {
    const folder = temporaryFolder(t);
    for (const words of [
      ["status"],
      ["logs"],
      ["why", "Widget/one"],
      ["dead-letters", "list"],
      ["kubectl", "get"],
    ]) {
      const [command = "", ...rest] = words;
      const sub = command === "dead-letters" ? ["list"] : [];
      const { code, stderr } = await reveilleHere([
        command,
        ...sub,
        "--data",
        folder,
        ...(sub.length > 0 ? [] : rest),
      ]);
      assert.equal(code, 1, command);
      assert.match(stderr, /^error: Nothing ran in .* yet: start it with `reveille dev`/, command);
    }
  });

  it("refuses a folder that is a file, and a broken kubeconfig, in one sentence", async (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, "file");
    writeFileSync(file, "no: [yaml");
    const blocked = await reveilleHere(["dev", "--data", file, ...own]);
    assert.equal(blocked.code, 1);
    assert.match(blocked.stderr, /^error: .* a file is in the way: choose another folder with --data\.\n$/);
    const broken = await reveilleHere(["dev", "--data", join(folder, "state"), ...own, "--kubeconfig", file]);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /^error: The kubeconfig .*file is no YAML/);
  });

  it("shows examples in every command's help, and defaults as they are typed", async () => {
    const helpOf = (command: Command): string => {
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      return help;
    };
    const walk = (command: Command, words: string): number => {
      const [, examples, ...more] = helpOf(command).split("Examples:");
      assert.ok(examples?.includes(words) && more.length === 0, words);
      assert.doesNotMatch(helpOf(command), /\(default:\s+\d{4,}\)/, words);
      return command.commands.reduce((count, sub) => count + walk(sub, `${words} ${sub.name()}`), 1);
    };
    const all = (await program()).commands.reduce(
      (count, one) => count + walk(one, `reveille ${one.name()}`),
      0,
    );
    assert.ok(all >= 35, String(all));
  });
});
