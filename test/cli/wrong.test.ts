// Every flag of every command with a value that does not fit: a sentence on stderr, nothing on stdout, and the exit code of docs/cli.md.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { reveilleHere } from "../../infra/testing/in-process.ts";
import { kudoWords } from "./kudo-lines.ts";
import { kymaWords } from "./kyma-lines.ts";
import { stackWords } from "./stack-lines.ts";
import { flagOf, type Leaf, leaves } from "./walk.ts";

const all = await leaves();
const folder = mkdtempSync(join(tmpdir(), "reveille-wrong-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const broken = file("broken.yaml", "no: [yaml");
const event = file("event.json", "{}");
const kubeconfig = file(
  "kubeconfig",
  JSON.stringify({
    "current-context": "one",
    contexts: [{ name: "one", context: { cluster: "one", user: "one" } }],
    clusters: [{ name: "one", cluster: { server: "http://127.0.0.1:9" } }],
    users: [{ name: "one", user: {} }],
  }),
);
const nowhere = "/nowhere/at-all";
const { PACKAGE: package_ = "" } = kudoWords(folder);
const {
  RULES: rules = "",
  CATALOG: catalog = "",
  SAMPLES: samples = "",
  GARDEN: garden = "",
} = kymaWords(folder);
const { SOURCE: stackSource = "", RELEASE: release = "" } = await stackWords(folder);

beforeAll(() => {
  // Nobody's cluster is asked by accident.
  vi.stubEnv("KUBECONFIG", nowhere);
  vi.stubEnv("REVEILLE_LOG_LEVEL", "error");
});

/** What a command wants beside the flag that is tried. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  why: ["widget/one"],
  "dead-letters show": ["1"],
  "dead-letters redrive": ["1"],
  "dead-letters drop": ["1"],
  "command reconcile": ["--function", "x"],
  "command pause": ["--function", "x"],
  "command resume": ["--function", "x"],
  "command redrive": ["x", "y"],
  "command recheck-release": ["x", "1"],
  invoke: ["x", "--event", event],
  kubectl: ["get", "pods"],
  "cluster-version update": ["--to-latest"],
  "cluster-version channel": ["x"],
  "cluster-version wait": ["--for", "done"],
  "cluster-stack releases": ["github:acme/stacks"],
  "cluster-stack verify": ["docker-ferrol-1-27-v1", "--from", "github:acme/stacks"],
  "cluster-stack diff": ["x", "--to", "docker-scs-1-30-v1", "--from", release],
  "cluster-stack graph": ["x"],
  "cluster-stack wait": ["stack", "x"],
  "cluster-stack create": [stackSource, "--from", "github:acme/stacks"],
  "cluster-stack publish": [release, "--to", "github:acme/stacks"],
  "kyma module enable": ["alpha-store"],
  "kyma module disable": ["x"],
  "kyma module manage": ["x"],
  "kyma module unmanage": ["x"],
  "kyma blockers": ["x"],
  "kyma lint": [catalog],
  "kyma pack": [rules, "--component", "acme.com/mods/x", "--version", "1.0.0", "--into", broken],
  "kyma force-delete": ["x"],
  "kyma policy check": [rules],
  "kyma run": ["--catalog", samples, "--file", garden],
  "kyma module status": ["x"],
  "kyma runtime-watcher": [
    ...["--manager", "x", "--queue", folder, "--control-plane", "h"],
    ...["--certificate", event, "--key", event, "--authorities", event],
  ],
  "kudo install": [package_],
  "kudo upgrade": [package_, "--instance", "x"],
  "kudo update": ["--instance", "x", "-p", "a=b"],
  "kudo uninstall": ["--instance", "x"],
  "kudo plan status": ["--instance", "x"],
  "kudo plan history": ["--instance", "x"],
  "kudo plan trigger": ["--instance", "x", "--name", "deploy"],
  "kudo plan cancel": ["--instance", "x"],
  "kudo package create": [package_],
  "kudo package new": ["x"],
  "kudo package verify": [package_],
  "kudo package list plans": [package_],
  "kudo package list tasks": [package_],
  "kudo package list parameters": [package_],
  "kudo rbac": [package_],
  "kudo diagnostics": ["--instance", "x"],
};
/** Those that go on; their log is their result. */
const LASTING = ["dev", "run", "watcher", "worker", "serve"];
/** Those that take no bus of one process. */
const APART = ["watcher", "worker"];

interface Wrong {
  readonly words: readonly string[];
  readonly code: number;
  readonly says: RegExp;
  /** Of these commands alone. */
  readonly of?: RegExp;
}
const wrong = (words: readonly string[], code: number, says: RegExp, of?: RegExp): Wrong => ({
  words,
  code,
  says,
  ...(of && { of }),
});

/** The commands about a source of releases, and those that may ask a server. */
const STACK = /^cluster-stack/;
const ASKED = /^(?!cluster-stack)/;
/** The program in a runtime, which is no command about a bus. */
const RUNTIME = /^kyma runtime-watcher$/;
const NO_RUNTIME = /^(?!kyma runtime-watcher$)/;

/** By flag: values that do not fit. A flag that takes a value and is not here is in `ANY`. */
const VALUES: Readonly<Record<string, readonly Wrong[]>> = {
  "--output": [wrong(["-o", "xml"], 2, /argument 'xml' is invalid. Allowed choices are json, yaml/)],
  "--config": [
    wrong(["--config", nowhere], 1, /^error: \/nowhere\/at-all: cannot be read: .*no such file/m),
    wrong(["--config", broken], 1, /broken\.yaml:\d+: /),
  ],
  "--systems": [wrong(["--systems", "nobody"], 2, /there is no system "nobody"; choose from .*none/)],
  "--functions": [wrong(["--systems", "none", "--functions", nowhere], 2, /there is no (such )?file/)],
  // What `config check` is given is what it judges.
  "--kubeconfig": [1, 2].flatMap((code) => {
    const of = code === 2 ? /^config check$/ : /^(?!config check)/;
    return [
      wrong(["--kubeconfig", nowhere], code, /\/nowhere\/at-all/, of),
      wrong(["--kubeconfig", broken], code, /kubeconfig .*broken\.yaml is no YAML/, of),
    ];
  }),
  "--context": [1, 2].map((code) =>
    wrong(
      ["--kubeconfig", kubeconfig, "--context", "nobody"],
      code,
      /no context "nobody": choose one of one/,
      code === 2 ? /^config check$/ : /^(?!config check)/,
    ),
  ),
  "--data": [
    wrong(["--data", broken], 1, /a file is in the way: choose another folder with --data/, /^dev$/),
    wrong(["--data", "/proc/nowhere"], 1, /choose another folder with --data|correct the path/, /^dev$/),
    wrong(
      ["--data", broken],
      1,
      /^error: Nothing ran in .*broken\.yaml yet: start it with `reveille dev`, or name the folder with --data\.\n$/,
      /^(status|why|logs|dead-letters|command|invoke|kubectl)/,
    ),
    wrong(["--data", broken], 1, /^error: Name the cluster with --kubeconfig/, /^uninstall$/),
    wrong(["--data", broken], 1, /\/nowhere\/at-all/, /^(cluster-version|cluster-stack|kudo|kyma (?!lint))/),
  ],
  "--server": [
    wrong(
      ["--server", "reveille.example.org"],
      2,
      /--server reveille\.example\.org: write an address such as https:/,
    ),
    wrong(["--server", "http://127.0.0.1:9"], 1, /127\.0\.0\.1:9 does not answer/),
  ],
  "--token-file": [
    wrong(["--token-file", event], 2, /--token-file is for --server: name that too/, ASKED),
    wrong(
      ["--server", "http://127.0.0.1:9", "--token-file", nowhere],
      1,
      /\/nowhere\/at-all does not exist/,
      ASKED,
    ),
    wrong(
      ["--token-file", nowhere],
      1,
      /github:acme\/stacks: the secret in \/nowhere\/at-all/,
      /^cluster-stack (?!publish)/,
    ),
    // On GitHub nothing is published.
    wrong(["--token-file", nowhere], 2, /gh release create/, /^cluster-stack publish/),
  ],
  "--port": [
    wrong(["--port", "x"], 2, /'x' is invalid. A port is a number from 0 to 65535/, NO_RUNTIME),
    wrong(["--port", "65536"], 2, /A port is a number from 0 to 65535/, NO_RUNTIME),
    wrong(["--port", "-1"], 2, /A port is a number from 0 to 65535/, NO_RUNTIME),
    wrong(["--port", "0"], 2, /--port 0: write a whole number from 1 to 65535/, RUNTIME),
  ],
  "--once-seconds": ["x", "0", "-1", "Infinity", ""].map((text) =>
    wrong([`--once-seconds=${text}`], 2, /Give a number of seconds/),
  ),
  "--log": [wrong(["--log", "loud"], 2, /Allowed choices are pretty, json/)],
  "--tail": ["x", "-1", "1.5", ""].map((text) => wrong([`--tail=${text}`], 2, /a whole number of runs/)),
  "--listen": ["nowhere", "127.0.0.1:x", "127.0.0.1:70000"].map((text) =>
    wrong(
      ["--systems", "none", "--functions", widget(), "--listen", text],
      2,
      /--listen: .*(write host:port|a port is 65535 at most)/,
    ),
  ),
  "--only": [
    wrong(
      ["--systems", "none", "--functions", widget(), "--only", "nobody"],
      2,
      /^error: --only: .*there is no function "nobody"; choose from widget, commands/,
    ),
  ],
  "--prefix": [wrong(["--prefix", "a.b"], 2, /^error: --prefix: .*letters, digits, - and _, 32 at most\n$/)],
  "--event": [
    wrong(["--event", nowhere], 1, /\/nowhere\/at-all does not exist: correct the path/),
    wrong(["--event", broken], 2, /broken\.yaml is no JSON/),
  ],
  "--key": [
    wrong(
      ["--function", "x", "--kind", "x", "--key", "y"],
      2,
      /Name one of: an object, --key, --kind/,
      NO_RUNTIME,
    ),
    wrong(["--key", nowhere], 1, /\/nowhere\/at-all cannot be read/, RUNTIME),
  ],
  "--control-plane": [
    wrong(["--control-plane", "a b"], 2, /--control-plane a b: write a host, or host:port/),
  ],
  "--certificate": [wrong(["--certificate", nowhere], 1, /\/nowhere\/at-all cannot be read/)],
  "--authorities": [wrong(["--authorities", nowhere], 1, /\/nowhere\/at-all cannot be read/)],
  "--beat": ["x", "0", "1.5", ""].map((text) =>
    wrong([`--beat=${text}`], 2, /--beat .*: write a whole number from 1 to 3600/),
  ),
  "--queue": [wrong(["--queue", broken], 1, /broken\.yaml cannot be written/)],
  "--metrics-port": [wrong(["--metrics-port", "65536"], 2, /write a whole number from 1 to 65535/)],
  "--kind": [
    wrong(
      ["--config", settings(), "--kind", "nokind"],
      2,
      /No function knows the kind "nokind"; they know .*Widget/,
    ),
  ],
  "--function": [
    wrong(
      ["--systems", "none", "--functions", widget(), "--function", "nobody"],
      2,
      /--function nobody: there is no such function; choose from widget, watcher/,
      /^rbac$/,
    ),
    wrong(
      ["widget/one", "--function", "x"],
      2,
      /Name either an object \(KIND\/NAME\) or --function/,
      /^command (pause|resume)$/,
    ),
  ],
  "--silent-after": ["x", "-1s", "10", ""].map((text) =>
    wrong([`--silent-after=${text}`], 2, /Write 30s, 10m or 2h/),
  ),
  "--timeout": ["x", "-1s", "10", ""].map((text) => wrong([`--timeout=${text}`], 2, /Write 30s, 10m or 2h/)),
  "--for": [wrong(["--for", "version="], 2, /--for version=: say done, Available/)],
  "--to": [
    wrong(
      ["--to", ""],
      2,
      /Say one of --to VERSION, --to-image IMAGE, --to-latest and --clear/,
      /^cluster-version/,
    ),
    wrong(["--to", ""], 2, /A source is missing/, /^cluster-stack publish/),
    wrong(["--to", "v1"], 2, /--to v1 is no class of a stack/, /^cluster-stack diff/),
  ],
  "--to-image": [wrong(["--to-image", ""], 2, /Say one of --to VERSION/)],
  "--parameter": [wrong(["-p", "novalue"], 2, /-p novalue: write NAME=VALUE/)],
  "--parameter-file": [
    wrong(["-P", nowhere], 1, /\/nowhere\/at-all: .*no such file/),
    wrong(["-P", broken], 1, /broken\.yaml:\d+:\d+: /),
  ],
  "--wait-time": ["x", "-1", ""].map((text) => wrong([`--wait-time=${text}`], 2, /Give a number of seconds/)),
  "--operator-version": [wrong(["--operator-version", "1.0.0"], 2, /are for --in-cluster/)],
  "--app-version": [wrong(["--app-version", "1.0.0"], 2, /are for --in-cluster/)],
  "--destination": [
    wrong(["--destination", broken], 1, /broken\.yaml/, /^kudo package/),
    wrong(["--destination", broken], 1, /\/nowhere\/at-all/, /^kudo diagnostics/),
    wrong(["--mode", "hash", "--destination", broken], 1, /broken\.yaml.* cannot be written/, STACK),
  ],
  "--username": [wrong(["--username", "x"], 2, /--username: github:acme\/stacks takes no such flag/)],
  "--password-file": [wrong(["--password-file", "x"], 2, /--password-file: .* takes no such flag/)],
  "--api": [wrong(["--api", "http://example.org"], 2, /github:acme\/stacks is no source: Invalid URL/)],
  "--version": [
    wrong(["--kubeconfig", kubeconfig, "--version", "1"], 2, /--version 1 is no version: write v1/, STACK),
    wrong(["--version", "v1"], 2, /--version v1 is no version: write 1\.4\.2/, /^kyma/),
  ],
  "--mode": [wrong(["--mode", "x"], 2, /Allowed choices are stable, custom, hash/)],
  "--cluster-stack-version": [
    wrong(["--mode", "custom", "--cluster-stack-version", "1"], 2, /1 is no version: write v1/),
  ],
  "--cluster-addon-version": [
    wrong(
      ["--mode", "custom", "--cluster-stack-version", "v0-a.1", "--cluster-addon-version", "1"],
      2,
      /1 is no version: write v1/,
    ),
  ],
  "--from": [wrong(["--from", "github:acme"], 2, /github:acme is no source: write owner\/name/)],
  "--helm": [
    wrong(["--helm", nowhere], 1, /\/nowhere\/at-all/, /^cluster-stack publish/),
    wrong(["--mode", "hash", "--helm", nowhere], 1, /\/nowhere\/at-all/, /^cluster-stack create/),
  ],
  "--channel": ["Fast", "none", "ab", ""].map((text) =>
    wrong([`--channel=${text}`], 2, /--channel .* is no channel: write 3 to 32 lower-case letters/),
  ),
  "--custom-resource-policy": [
    wrong(["--custom-resource-policy", "x"], 2, /Allowed choices are CreateAndDelete, Ignore/),
  ],
  "--file": [
    wrong(["--file", nowhere], 1, /\/nowhere\/at-all cannot be read/),
    wrong(["--file", broken], 1, /broken\.yaml is no maintenance policy:\nit is no JSON/, /^kyma windows/),
    wrong(["--file", broken], 1, /broken\.yaml, document 1: /, /^kyma run/),
  ],
  "--catalog": [
    wrong(["--catalog", nowhere, "--file", garden], 1, /\/nowhere\/at-all cannot be read: .*Name a folder/),
    wrong(["--catalog", broken, "--file", garden], 1, /broken\.yaml cannot be read: .*Name a folder/),
  ],
  "--component": [wrong(["--component", "x"], 2, /--component x names no component: write acme\.com/)],
  "--into": [wrong(["--into", broken], 1, /broken\.yaml/)],
  "--folder": [wrong(["--folder", nowhere], 1, /\/nowhere\/at-all/)],
  "--service": [wrong(["--service", "x"], 2, /--service x: name it as NAMESPACE\/NAME/)],
  "--param-checks": [wrong(["--param-checks", "x"], 2, /Allowed choices are display, hint, desc/)],
};
/** By flag: why any text fits. */
const ANY: Readonly<Record<string, string>> = {
  "--manager": "which there are, the control plane alone knows",
  "--kyma": "which there are, the cluster alone knows",
  "--confirm": "which word it is, the cluster alone knows",
  "--namespace": "which there are, the cluster alone knows",
  "--image": "which there are, the registry alone knows",
  "--reason": "words for people",
  "--as": "a name for people",
  "--instance": "which there are, the cluster alone knows",
  "--name": "which plans there are, the cluster alone knows",
};
/** `FLAG of COMMAND`: why any text fits there. */
const ANY_OF: Readonly<Record<string, string>> = {
  "--function of command reconcile": "whoever runs functions answers: see test/cli/lines.test.ts",
  "--function of dead-letters list": "letters tell of functions that are no more: see test/cli/lines.test.ts",
  "--function of dead-letters redrive": "the same",
  "--function of dead-letters drop": "the same",
  "--helm of cluster-stack verify": "it is run where a release can be read",
  "--helm of cluster-stack diff": "the same",
  "--data of kyma lint": "the settings of its samples count where there are some",
};

function widget(): string {
  return join(import.meta.dirname, "../../examples/widget/index.ts");
}
function settings(): string {
  return file("settings.json", JSON.stringify({ systems: ["none"], functions: [widget()] }));
}

const wrongFor = (leaf: Leaf, flag: string): readonly Wrong[] =>
  (VALUES[flag] ?? []).filter(({ of }) => of === undefined || of.test(leaf.path));

it("no flag that takes a value is left out", () => {
  const left = all.flatMap((leaf) =>
    leaf.options
      .filter((option) => option.required || option.optional)
      .map(flagOf)
      .filter(
        (flag) =>
          !(flag in ANY) && !(`${flag} of ${leaf.path}` in ANY_OF) && wrongFor(leaf, flag).length === 0,
      )
      .map((flag) => `${flag} of ${leaf.path}`),
  );
  assert.deepEqual(left, []);
  const flags = new Set(all.flatMap((leaf) => leaf.options.map(flagOf)));
  assert.deepEqual(
    [...Object.keys(VALUES), ...Object.keys(ANY)].filter((flag) => !flags.has(flag)),
    [],
    "no command has them any more",
  );
});

describe.each(all.map((leaf) => [leaf.path, leaf] as const))("reveille %s", (path, leaf) => {
  const start = path.split(" ");
  const needed = leaf.options
    .filter(({ mandatory }) => mandatory)
    .flatMap((option) => [flagOf(option), flagOf(option) === "--event" ? event : "x"]);
  const beside = BESIDE[path] ?? [];
  const usage = path === "kubectl" ? it.skip : it;

  usage("refuses a flag that there is not, and a flag without its value", async () => {
    const unknown = await reveilleHere([...start, ...beside, "--nonsense"]);
    assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
    assert.match(unknown.stderr, /unknown option '--nonsense'/);
    for (const option of leaf.options.filter(({ required }) => required)) {
      const bare = await reveilleHere([...start, ...beside, flagOf(option)]);
      assert.deepEqual([bare.code, bare.stdout], [2, ""], flagOf(option));
      assert.match(bare.stderr, new RegExp(`option '.*${flagOf(option)} .*' argument missing`));
    }
  });

  usage("refuses a missing word, and one too many", async () => {
    const { registeredArguments } = leaf.command;
    if (registeredArguments.some(({ required }) => required)) {
      const missing = await reveilleHere([...start, ...needed]);
      assert.deepEqual([missing.code, missing.stdout], [2, ""]);
      assert.match(missing.stderr, /missing required argument/);
    }
    if (registeredArguments.some(({ variadic }) => variadic)) return;
    const words = registeredArguments.map(({ argChoices }) => argChoices?.[0] ?? "x");
    const surplus = await reveilleHere([...start, ...words, "surplus", ...needed]);
    assert.deepEqual([surplus.code, surplus.stdout], [2, ""]);
    assert.match(surplus.stderr, /too many arguments/);
  });

  it("has a help that names each of its flags", async () => {
    const { code, stdout } = await reveilleHere([...start, "--help"]);
    assert.equal(code, 0);
    for (const option of leaf.options) assert.ok(stdout.includes(option.flags), option.flags);
  });

  for (const option of leaf.options)
    for (const { words, code, says } of wrongFor(leaf, flagOf(option)))
      it(`refuses ${words.map((word) => word.replaceAll(folder, "…").replace(/.*\/examples/, "examples")).join(" ")}`, async () => {
        // The flag that is tried takes the place of the one that the command wants anyway.
        const others = beside[0] === words[0] || words.includes(beside[0] ?? "") ? [] : beside;
        const line = [...start, ...(flagOf(option) === "--event" ? ["x"] : others), ...words];
        // What follows kubectl's own words is kubectl's.
        if (path === "kubectl") line.splice(1, line.length, ...words, ...others);
        const state = leaf.options.some((one) => flagOf(one) === "--data") && !words.includes("--data");
        if (state) line.push("--data", join(folder, "state"));
        const ended = await reveilleHere(line, APART.includes(path) ? { REVEILLE_BUS_KIND: "nats" } : {});
        assert.match(ended.stderr, says);
        assert.equal(ended.code, code, ended.stderr);
        if (!LASTING.includes(path) || path === "dev") assert.equal(ended.stdout, "");
        assert.doesNotMatch(ended.stderr, /\n {4}at /, "no trace");
      });
});
