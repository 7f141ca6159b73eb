import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { openCluster } from "../../infra/cli/cluster.ts";
import { startReveille, temporaryFolder } from "../../infra/testing/command-line.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { reveilleHere } from "../../infra/testing/in-process.ts";
import { troubles } from "./stage.ts";

const module = join(import.meta.dirname, "troubles.ts");
const file = `systems: []
functions: [${module}]
configuration:
  troubles:
    greeting: hello
traces:
  headers: { authorization: Bearer abc }
`;

describe("settings on the command line", () => {
  it("config check prints what counts, from where, with secrets sealed", async (t) => {
    const config = join(temporaryFolder(t), "reveille.yaml");
    writeFileSync(config, file);
    const { code, stdout, stderr } = await reveilleHere(["config", "check", "--config", config], {
      REVEILLE_WORKER_PARALLEL: "4",
    });
    assert.equal(code, 0, stderr);
    const lines = stdout.split("\n").map((line) => line.split(/ {2,}/));
    const of = (name: string) => lines.find(([setting]) => setting === name)?.slice(1);
    assert.deepEqual(of("configuration.troubles.greeting"), ["hello", `${config}:5`]);
    assert.deepEqual(of("worker.parallel"), ["4", "REVEILLE_WORKER_PARALLEL"]);
    assert.deepEqual(of("runs.limit"), ["5m", "default"]);
    assert.deepEqual(of("traces.headers"), ["(sealed)", `${config}:7`]);
    assert.doesNotMatch(stdout, /Bearer/);
  });

  it("config check, worker and dev say where a fault is, and end with 1", async (t) => {
    const config = join(temporaryFolder(t), "reveille.yaml");
    writeFileSync(config, file.replace("greeting: hello", "greting: hello\nsytems: []"));
    const faults = [
      `error: ${config}:5: configuration.troubles.greting: there is no such setting; did you mean greeting?`,
      `${config}:6: sytems: there is no such setting; did you mean systems?`,
    ];
    const data = ["--data", join(temporaryFolder(t), "state")];
    for (const words of [["config", "check"], ["worker"], ["dev", ...data]]) {
      const { code, stderr } = await reveilleHere([...words, "--config", config]);
      assert.equal(code, 1, stderr);
      assert.deepEqual(stderr.trim().split("\n"), faults, words.join(" "));
    }
    const unknown = await reveilleHere(["config", "check"], { REVEILLE_SYSTEMS: "sonatafow" });
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /^error: REVEILLE_SYSTEMS: systems: there is no system "sonatafow"; choose/);
  });

  it("config check refuses functions that there are not, as the worker does, and secrets that are empty", async (t) => {
    const folder = temporaryFolder(t);
    const config = join(folder, "reveille.yaml");
    writeFileSync(config, `${file}worker:\n  only: [troubel, commands]\n`);
    const unknown = `error: ${config}:9: worker.only: there is no function "troubel"; choose from trouble, commands\n`;
    for (const words of [["config", "check"], ["worker"]]) {
      const { code, stderr } = await reveilleHere([...words, "--config", config]);
      assert.deepEqual([code, stderr], [1, unknown], words.join(" "));
    }
    const secret = join(folder, "secret");
    writeFileSync(secret, "\n");
    writeFileSync(config, `${file}serve:\n  callers:\n    alice: { tokenFile: ${secret} }\n`);
    const empty = await reveilleHere(["config", "check", "--config", config]);
    assert.equal(empty.code, 1);
    assert.equal(
      empty.stderr,
      `error: ${config}:10: serve.callers.alice.tokenFile: ${secret} is empty: write the secret there\n`,
    );
    writeFileSync(secret, `${"token".repeat(4)}\n`);
    assert.equal((await reveilleHere(["config", "check", "--config", config])).code, 0);
    const weak = join(folder, "weak");
    writeFileSync(weak, "abcde");
    const nothing = join(folder, "nothing");
    writeFileSync(
      config,
      `${file}serve:
  callers:
    alice: { tokenFile: ${secret} }
    bob: { tokenFile: ${secret} }
    carol: { tokenFile: ${nothing} }
    dave: { tokenFile: ${weak} }
  triggers:
    github: { secretFile: ${nothing} }
cluster:
  kubeconfig: ${nothing}
worker:
  only: [troubel]
`,
    );
    const { code, stderr } = await reveilleHere(["config", "check", "--config", config]);
    assert.equal(code, 1);
    const line = (number: number, path: string, message: string): string =>
      `${config}:${number}: ${path}: ${message}`;
    const gone = `it cannot be read: ENOENT: no such file or directory, open '${nothing}'`;
    assert.deepEqual(
      stderr
        .trim()
        .replace(/^error: /, "")
        .split("\n")
        .sort(),
      [
        line(
          11,
          "serve.callers.bob.tokenFile",
          `${secret} holds the token of caller alice too: who asks could not be told apart`,
        ),
        line(12, "serve.callers.carol.tokenFile", gone),
        line(
          13,
          "serve.callers.dave.tokenFile",
          `the secret in ${weak} has fewer than 16 characters: make one with openssl rand -hex 32`,
        ),
        line(15, "serve.triggers.github.secretFile", gone),
        line(17, "cluster.kubeconfig", gone),
        line(19, "worker.only", 'there is no function "troubel"; choose from trouble, commands'),
      ],
    );
    writeFileSync(config, `${file}serve:\n  callers:\n    alice: { certificate: alice.example.org }\n`);
    const unprovable = await reveilleHere(["config", "check", "--config", config]);
    assert.deepEqual(
      [unprovable.code, unprovable.stderr],
      [
        1,
        `error: ${line(10, "serve.callers.alice.certificate", "no certificate proves anybody here: name serve.tls.clientAuthority")}\n`,
      ],
    );
  });

  it("dev takes systems, modules and configuration from a file", async (t) => {
    const folder = temporaryFolder(t);
    const config = join(folder, "reveille.yaml");
    writeFileSync(config, file);
    const dev = startReveille(t, ["dev", "--data", folder, "--config", config]);
    await dev.says("Ready after");
    const { client } = openCluster({ kubeconfig: join(folder, "kubeconfig") });
    t.onTestFinished(() => client.close());
    const place = { namespace: "default", name: "one" };
    await client.create(
      troubles,
      { apiVersion: "hosts.example.org/v1", kind: "Trouble", metadata: place, spec: { how: "well" } },
      { fieldManager: "people" },
    );
    await eventually("it is greeted", async () => {
      const object = await client.get(troubles, place);
      return (object?.status as { readonly how?: string } | undefined)?.how === "hello well";
    });
  });
});
