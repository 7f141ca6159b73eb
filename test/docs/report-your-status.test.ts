import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, it } from "vitest";
import { ClusterOperator } from "../../functions/cluster-version/kinds/index.ts";
import type { Condition, OperatorStatus, Watched } from "../../functions/cluster-version/status/index.ts";
import { installKinds } from "../../infra/testing/install-crds.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { blocksOf, root } from "./pages.ts";

const page = "docs/report-your-status.md";
const library = join(root, "functions/cluster-version/status/index.ts");
const files = blocksOf(page).flatMap(({ text }) => {
  const name = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
  return name === undefined ? [] : [{ name, text }];
});

interface Shown {
  tellThatItWorks(config: KubeConfig, version: string): Promise<{ readonly changed: boolean }>;
  statusOfParts(
    stored: OperatorStatus | undefined,
    parts: readonly Condition[],
    now: string,
  ): { readonly status: OperatorStatus; readonly lookAgainAt: string | undefined };
  arrived(operator: Watched): boolean;
}

describe(page, () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "reveille-docs-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const { name, text } of files) {
      writeFileSync(join(folder, `shown-${name}`), text);
      writeFileSync(
        join(folder, name),
        text.replace('"reveille/status"', `"${pathToFileURL(library).href}"`),
      );
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const shown = async (name: string): Promise<Shown> =>
    (await import(pathToFileURL(join(folder, name)).href)) as Shown;

  it("types what it shows", async () => {
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { paths: { "reveille/status": [library] } },
      include: ["shown-*.ts"],
      exclude: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { error, output } = await new Promise<{ error: Error | null; output: string }>((resolve) => {
      execFile(process.execPath, [tsc, "--project", folder, "--pretty", "false"], (failure, stdout, stderr) =>
        resolve({ error: failure, output: `${stdout}${stderr}` }),
      );
    });
    assert.equal(error, null, output);
    assert.equal(files.length, 3);
  });

  it("reports as it tells: makes the object, writes once, and says what has arrived", async (t) => {
    const api = await startTestApi({ api: "local", controllers: false });
    t.onTestFinished(() => api.stop());
    await installKinds(api.client, [ClusterOperator]);
    const config = new KubeConfig();
    const { authorization = "" } = await api.connection.credentials.current();
    config.loadFromClusterAndUser(
      {
        name: "c",
        server: api.connection.server,
        caData: Buffer.from(api.connection.tls.ca ?? "").toString("base64"),
        skipTLSVerify: false,
      },
      { name: "u", token: authorization.replace("Bearer ", "") },
    );
    const { tellThatItWorks } = await shown("operator.ts");
    const operator = () => api.client.get(resourceOf(ClusterOperator), { name: "demo-scheduler" });
    assert.equal((await tellThatItWorks(config, "1.13.0")).changed, true);
    const first = await operator();
    assert.equal((await tellThatItWorks(config, "1.13.0")).changed, false);
    assert.equal((await operator())?.metadata.resourceVersion, first?.metadata.resourceVersion);
    assert.equal((await tellThatItWorks(config, "1.14.0")).changed, true);
    const { arrived } = await shown("wait.ts");
    const now = (await operator()) as Watched;
    assert.equal(arrived(now), false);
    const versions = [...(now.status?.versions ?? []), { name: "kube-apiserver", version: "1.33.4" }];
    assert.equal(arrived({ ...now, status: { ...now.status, versions } }), true);
  });

  it("aggregates parts and tells when to look again", async () => {
    const { statusOfParts } = await shown("parts.ts");
    const { status, lookAgainAt } = statusOfParts(
      undefined,
      [
        { type: "EtcdAvailable", status: "True", lastTransitionTime: "2026-02-01T08:00:00Z" },
        { type: "EtcdDegraded", status: "True", reason: "Slow", lastTransitionTime: "2026-02-01T08:59:00Z" },
      ],
      "2026-02-01T09:00:00Z",
    );
    assert.deepEqual(
      status.conditions?.map(({ type, status: word }) => `${type}=${word}`),
      ["Available=True", "Progressing=Unknown", "Degraded=False"],
    );
    assert.equal(lookAgainAt, "2026-02-01T09:01:00.000Z");
  });
});
