import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { stringify } from "yaml";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { applyCrds, planCrds } from "../../infra/cli/install/crds.ts";
import { faces } from "../../infra/local/faces/index.ts";
import { startLocalApi } from "../../infra/local/index.ts";
import { ownKindsOf } from "../../infra/systems/declared.ts";
import { startReveille, temporaryFolder } from "../../infra/testing/command-line.ts";
import { connectionTo } from "../../infra/testing/control-plane.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { blocksOf, root } from "./pages.ts";

const pages = ["docs/triggers.md", "docs/commands.md"];
const blocks = pages.flatMap((page) => blocksOf(page));
const shell = blocks.filter(({ language }) => language === "sh");

/** What a block of shell commands printed, in a folder. */
const bash = (text: string, folder: string, environment: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...process.env, ...environment }, timeout: 30_000 };
    execFile("bash", ["-euo", "pipefail", "-c", text], options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${text}\n${stderr}`, { cause: error })),
    );
  });

it("the requests on the pages about HTTP are answered as they say, with the settings that they show", async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ["events", "functions"]) symlinkSync(join(root, name), join(folder, name));
  const settings =
    blocks.find(({ text }) => text.startsWith("# reveille.yaml\n")) ?? assert.fail("no settings");
  // The page's files lie beside each other.
  const text = settings.text.replaceAll("File: ", `File: ${folder}/`);
  writeFileSync(join(folder, "reveille.yaml"), text);
  const secrets = shell.filter(({ text }) => text.includes("openssl rand"));
  assert.equal(secrets.length, 1);
  for (const { text } of secrets) await bash(text, folder, {});

  const api = await startLocalApi({ directory: join(folder, "api"), faces });
  t.onTestFinished(() => api.close());
  const { server: url, ca, token } = api.clientOptions;
  const client = createKubeClient({ connection: connectionTo({ url, ca, token }) });
  t.onTestFinished(() => client.close());
  await applyCrds(client, await planCrds(client, ownKindsOf(sonataflow.functions)), systemClock);
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, stringify(api.kubeconfig), { mode: 0o600 });
  const host = startReveille(
    t,
    [
      "serve",
      "--config",
      join(folder, "reveille.yaml"),
      "--kubeconfig",
      kubeconfig,
      "--listen",
      "127.0.0.1:0",
    ],
    {
      REVEILLE_BUS_EMBEDDED_FILE: join(folder, "bus.db"),
    },
  );
  await host.says('"ready"');
  const SERVER = /"serves":"([^"]+)"/.exec(host.stdout())?.[1] ?? assert.fail(host.stdout());

  const requests = shell.filter(({ text }) => text.includes("curl "));
  assert.ok(requests.length >= 9, String(requests.length));
  for (const { page, line, text } of requests) {
    const expected = /^# answers (\d{3})$/m.exec(text)?.[1] ?? assert.fail(`${page}:${line} says no answer`);
    const printed = await bash(text, folder, { SERVER });
    assert.equal(printed.trim().split("\n").at(-1), expected, `${page}:${line}: ${printed}`);
  }
});
