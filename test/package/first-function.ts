import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { blocksOf, textOf } from "../docs/pages.ts";
import { installPacked, type Project } from "./project.ts";

const page = "docs/your-first-function.md";
const blocks = blocksOf(page);
/** The commands of a step of the page, each as its words. */
const commandsOf = (step: string): readonly (readonly string[])[] => {
  const text = textOf(page);
  const lineOf = (at: number): number => text.slice(0, at).split("\n").length;
  const begin = text.indexOf(`## ${step}`);
  assert.ok(begin >= 0, `${page} has no step ${step}`);
  const next = text.indexOf("\n## ", begin + 1);
  const [from, to] = [lineOf(begin), next < 0 ? Number.POSITIVE_INFINITY : lineOf(next)];
  return blocks
    .filter(({ language, line }) => language === "sh" && line > from && line < to)
    .flatMap(({ text: lines }) => lines.trim().split("\n"))
    .map((line) => line.split(" "));
};

describe(`${page}, typed by somebody who has the package alone`, () => {
  let project: Project;
  beforeAll(async () => {
    project = await installPacked();
    for (const { text, language } of blocks) {
      const name =
        /^(?:\/\/|#) (\S+\.(?:ts|yaml))\n/.exec(text)?.[1] ?? (language === "json" && "tsconfig.json");
      if (name) project.write(name, text);
    }
  });
  afterAll(() => project?.remove());
  const run = async (words: readonly string[]): Promise<string> => {
    const [program = "", ...rest] = words;
    const { code, stdout, stderr } = await project.run(program, rest);
    assert.equal(code, 0, `${words.join(" ")}: ${stderr}${stdout}`);
    return stdout;
  };

  it("installs what the page installs, in a module", () => {
    const first = blocks.find(({ language }) => language === "sh")?.text ?? "";
    assert.match(first, /^npm init -y\nnpm pkg set type=module\nnpm install reveille\n/);
    const { type, dependencies } = JSON.parse(project.read("package.json")) as {
      readonly type: string;
      readonly dependencies: Readonly<Record<string, string>>;
    };
    assert.equal(type, "module");
    const wanted = [...first.matchAll(/^npm install (?:--save-dev )?(.*)$/gm)].flatMap(([, names = ""]) =>
      names.split(" "),
    );
    for (const name of wanted) assert.ok(dependencies[name] !== undefined, name);
  });

  it("compiles", async () => {
    await run(["npx", "tsc"]);
  });

  it("passes its test, and prints what was derived", async () => {
    for (const words of commandsOf("6.")) assert.match(await run(words), /pass 2/);
    const [routes, crds, rbac] = await Promise.all(commandsOf("7.").map(run));
    assert.match(routes ?? "", /multiply/);
    assert.match(crds ?? "", /name: factors\.demo\.example\.org/);
    assert.match(rbac ?? "", /kind: ClusterRole/);
  });

  it("runs, waits, wakes and repairs", async (t) => {
    const hasKubectl = (process.env.PATH ?? "")
      .split(":")
      .some((folder) => existsSync(join(folder, "kubectl")));
    if (!hasKubectl && process.env.CI !== "true") return t.skip("no kubectl is on the PATH");
    const [dev = []] = commandsOf("3.");
    const [program = "", ...rest] = dev;
    const { child, interrupt } = project.start(program, rest);
    t.onTestFinished(() => interrupt("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (said += chunk));
    const kubeconfig = join(project.folder, ".reveille/kubeconfig");
    await eventually("its kubeconfig", () => {
      assert.equal(child.exitCode, null, said);
      return existsSync(kubeconfig);
    });
    const kubectl = (...words: readonly string[]): Promise<string> =>
      run(["kubectl", "--kubeconfig", kubeconfig, ...words]);
    const result = async (): Promise<string> =>
      kubectl("get", "widget", "first", "-o", "jsonpath={.status.result}");

    await eventually("the CRDs to be served", async () => {
      const applied = await project.run("kubectl", ["--kubeconfig", kubeconfig, "apply", "-f", "first.yaml"]);
      return applied.code === 0;
    });
    await eventually("it to wait for its Factor", async () =>
      (await run(["npx", "reveille", "why", "Widget/first"])).includes("multiply waits for Factor double"),
    );
    await kubectl("apply", "-f", "double.yaml");
    await eventually("14", async () => (await result()) === "14");
    await kubectl("patch", "factor", "double", "--type", "merge", "-p", '{"spec":{"by":3}}');
    await eventually("21", async () => (await result()) === "21");
    await kubectl("delete", "configmap", "first-message");
    await eventually("the ConfigMap to be back", async () =>
      (await kubectl("get", "configmaps", "-o", "name")).includes("first-message"),
    );
    await kubectl(
      "patch",
      "configmap",
      "first-message",
      "--type",
      "merge",
      "-p",
      '{"data":{"message":"hello"}}',
    );
    await eventually("a dead letter", async () =>
      (await run(["npx", "reveille", "dead-letters", "list"])).includes("another field manager owns a field"),
    );
  });
});
