// The package as somebody gets it: packed, installed in an empty folder, and a kind run there that nobody knows. Needs npm and its
// registry, so it is a step of its own: `npm run test:package`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import { installPacked, type Project } from "./project.ts";

const BALLOONS = {
  group: "fair.example.com",
  version: "v1beta3",
  kind: "Balloon",
  plural: "balloons",
  scope: "Namespaced",
} as const;

const mine = `import { defineKind, each, own } from "reveille";
import { ConfigMap } from "reveille/kinds";
import * as z from "zod";

export class Balloon extends defineKind({
  group: "fair.example.com",
  version: "v1beta3",
  kind: "Balloon",
  scope: "Namespaced",
  fields: { spec: z.object({ breaths: z.int().min(0).max(9) }) },
  status: z.object({ observedGeneration: z.int(), litres: z.number() }),
}) {}

export const inflate = each(Balloon).function({
  name: "inflate",
  owns: [ConfigMap],
  reconcile: ({ self }) => ({
    effects: own(self, ConfigMap, {
      metadata: { name: \`\${self.metadata.name}-label\` },
      data: { litres: String(self.spec.breaths * 4.5) },
    }),
    status: { observedGeneration: self.metadata.generation, litres: self.spec.breaths * 4.5 },
  }),
});
`;

const mistake = `import { Balloon } from "./mine.ts";
import { each } from "reveille";

export const wrong = each(Balloon).function({
  name: "wrong",
  reconcile: ({ self }) => ({ status: { observedGeneration: self.metadata.generation, litres: self.spec.breath } }),
});
`;

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "ES2024",
    module: "NodeNext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node"],
  },
});

/** A Node on the PATH that is too old to run Reveille; undefined where there is none. */
function oldNode(): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(":")) {
    const program = join(folder, "node");
    if (!existsSync(program)) continue;
    const version = execFileSync(program, ["-p", "process.versions.node"], { encoding: "utf8" });
    if (Number(version.split(".")[0]) < 24) return folder;
  }
  return undefined;
}

describe("the packed package, in an empty folder", () => {
  let project: Project;
  beforeAll(async () => {
    project = await installPacked();
    project.write("mine.ts", mine);
    project.write("tsconfig.json", tsconfig);
  });
  afterAll(() => project?.remove());

  it("carries what runs and what types it, and nothing of its making", () => {
    const stray = project.packed.filter(
      (file) =>
        /\.test\.|(^|\/)test-[^/]*\.|(^|\/)testing\/|(^|\/)bench\/|^test\/|^dist\/functions\/[^/]+\/test\/|\.map$|tsbuildinfo/.test(
          file,
        ) || /(?<!\.d)\.ts$/.test(file),
    );
    assert.deepEqual(stray, []);
    for (const file of [
      "package.json",
      "LICENSE",
      "README.md",
      "bin/reveille.js",
      "dist/index.js",
      "dist/index.d.ts",
      // What `dev` applies and `invoke` is given.
      ...globSync("functions/*/{samples,wakes}/**/*.{json,yaml,txt,tgz}", {
        cwd: join(import.meta.dirname, "../.."),
      }),
    ])
      assert.ok(project.packed.includes(file), `${file} is missing`);
    const home = join(import.meta.dirname, "../..");
    for (const file of project.packed.filter((each) => /\.(js|ts|json)$/.test(each))) {
      const text = project.read(join("node_modules/reveille", file));
      assert.ok(!text.includes(home), `${file} names the folder that it was built in`);
      assert.doesNotMatch(text, /sourceMappingURL/, file);
    }
  });

  it("has types for its users, which find their mistakes", async () => {
    const good = await project.run("npx", ["tsc", "-p", "."]);
    assert.equal(good.code, 0, good.stdout);
    project.write("mistake.ts", mistake);
    const bad = await project.run("npx", ["tsc", "-p", "."]);
    assert.notEqual(bad.code, 0);
    assert.match(bad.stdout, /mistake\.ts.*breath/s);
  });

  it("carries the library for statuses, which needs nothing else of it", async () => {
    project.write(
      "reporting.ts",
      `import { done, report } from "reveille/status";
const conditions = [
  { type: "Available", status: "True" },
  { type: "Progressing", status: "False" },
  { type: "Degraded", status: "False" },
] as const;
console.log(done({ status: report(undefined, { conditions }, "2026-02-01T08:00:00Z") }));
`,
    );
    const { code, stdout } = await project.run(process.execPath, ["reporting.ts"]);
    assert.deepEqual([code, stdout.trim()], [0, "true"]);
    const files = project.packed.filter((file) =>
      /^dist\/functions\/cluster-version\/status\/.*\.js$/.test(file),
    );
    for (const file of files) {
      const text = project.read(join("node_modules/reveille", file));
      for (const [, target = ""] of text.matchAll(/^(?! *\*).* from "([^"]+)"/gm))
        assert.match(
          target,
          /^\.\/|^\.{2}\/\.{2}\/\.{2}\/shared\/(clock\/time|errors|json\/(parse|same-json)|kube\/conditions)\.js$/,
          file,
        );
    }
    assert.ok(files.length > 5);
  });

  it("runs a kind that nobody knows, and goes on where it was", async (t) => {
    const dev = ["reveille", "dev", "--systems", "none", "--functions", "./mine.ts", "--data", "state"];
    const { child: running, interrupt } = project.start("npx", [...dev, "--log", "json"]);
    t.onTestFinished(() => interrupt("SIGKILL"));
    let said = "";
    running.stdout?.on("data", (chunk: Buffer) => (said += chunk));
    running.stderr?.on("data", (chunk: Buffer) => (said += chunk));
    const ended = once(running, "exit");
    const kubeconfig = join(project.folder, "state/kubeconfig");
    await eventually("its kubeconfig", () => {
      assert.equal(running.exitCode, null, said);
      return existsSync(kubeconfig);
    });
    const client = createKubeClient({ connection: loadConnection({ file: kubeconfig }) });
    const name = { namespace: "default", name: "red" };
    const body = {
      apiVersion: "fair.example.com/v1beta3",
      kind: "Balloon",
      metadata: name,
      spec: { breaths: 2 },
    };
    await eventually("the kind to be served", async () => {
      try {
        return await client.create(BALLOONS, body, { fieldManager: "somebody" });
      } catch (error) {
        if (error instanceof Error && "kind" in error && error.kind === "kindMissing") return undefined;
        throw error;
      }
    });
    const told = await eventually("a status", async () => (await client.get(BALLOONS, name))?.status);
    assert.deepEqual(told, { observedGeneration: 1, litres: 9 });
    const label = {
      group: "",
      version: "v1",
      kind: "ConfigMap",
      plural: "configmaps",
      scope: "Namespaced",
    } as const;
    const child = await client.get(label, { ...name, name: "red-label" });
    assert.deepEqual(child?.data, { litres: "9" });
    interrupt();
    await ended;

    const again = await project.run("npx", [...dev, "--once"]);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /Balloon/);
  });

  it("says what is wrong with a module that is no function", async () => {
    project.write("broken.ts", "export const nothing = 1;\n");
    const { code, stderr } = await project.run("npx", [
      ...["reveille", "dev", "--systems", "none", "--functions", "./broken.ts", "--data", "other", "--once"],
    ]);
    assert.notEqual(code, 0);
    assert.match(stderr, /broken\.ts/);
    assert.doesNotMatch(stderr, /\n {4}at /);
  });

  it("finds the pinned Node where it is started by an older one", async (t) => {
    const older = oldNode();
    if (older === undefined) return t.skip("no Node before 24 is on the PATH");
    const { code, stdout, stderr } = await project.run(
      join(older, "node"),
      ["node_modules/reveille/bin/reveille.js", "version"],
      { path: `${older}:/usr/bin:/bin` },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /0\.\d+\.\d+/);
  });
});
