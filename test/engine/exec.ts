import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import * as z from "zod";
import { defineDynamic, defineSystem, each, own, type Sealed, unwatched } from "../../index.ts";
import { FILES } from "../../infra/kubelet/pod-files.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { type Stack, startStack } from "../../infra/testing/stack.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Pod, Secret } from "../../shared/kube/kinds/index.ts";
import { Tank, tank } from "./kinds.ts";

class Part extends defineDynamic("part") {}

const MOST = 1_048_576;
const CONTAINER = "waiter";

interface Copied {
  readonly exitCode: number;
  readonly stdout: Sealed;
}

/** Copies a file of a Pod that is named as its Tank; one of size 2 puts it where it does not belong. */
const copies = each(Tank, { status: ["note", "error"] }).function({
  name: "copies",
  reads: [unwatched(Pod, "there before the Tank")],
  writes: [unwatched(Part, "restored by the next run")],
  executes: "copies what a Pod made",
  observe: async ({ self, read }): Promise<{ readonly copied: Copied | undefined }> => {
    const pod = await read.get(Pod, { name: self.metadata.name, namespace: self.metadata.namespace });
    if (pod?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") !== true)
      return { copied: undefined };
    return { copied: await read.exec(pod, CONTAINER, ["cat", "/tmp/key"], { maximumBytes: MOST }) };
  },
  reconcile: ({ self, copied }) => {
    if (copied === undefined) return { status: { note: "waits" } };
    const { exitCode, stdout } = copied;
    if (exitCode !== 0) return { status: { note: `exit code ${exitCode}` } };
    const parts = stdout.split((content) =>
      Buffer.from(content)
        .toString()
        .split("\n")
        .flatMap((line) => {
          const [name, value] = line.split("=");
          return name !== undefined && value !== undefined ? [[name, value] as const] : [];
        }),
    );
    const metadata = { name: self.metadata.name };
    const data = { key: stdout, ...Object.fromEntries(parts) };
    const secret = { apiVersion: "v1", kind: "Secret", metadata, data };
    const map = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      binaryData: { key: stdout },
      data: Object.fromEntries(parts),
    };
    const spilt = { apiVersion: "v1", kind: "Secret", metadata, stringData: { key: stdout } };
    return {
      effects:
        self.spec.size === 2 ? [own(self, Part, spilt)] : [own(self, Part, secret), own(self, Part, map)],
      status: { note: `${stdout}`, error: stdout.digest().slice(0, 8) },
    };
  },
});

/** Does so without having said why. */
const undeclared = each(Tank, { status: [] }).function({
  name: "undeclared",
  reads: [unwatched(Pod, "a test")],
  observe: async ({ read }) => {
    const [pod] = await read.list(Pod, { namespace: "default" });
    if (pod !== undefined) await read.exec(pod, CONTAINER, ["true"], { maximumBytes: 1 });
    return {};
  },
  reconcile: () => ({}),
});

const system = defineSystem({
  name: "copying",
  functions: [copies, undeclared],
  config: z.object({ kinds: z.array(z.string()).default(["secrets", "configmaps"]) }),
  admits: (config) => ({ part: config.kinds }),
});

const pod = (name: string, files: Readonly<Record<string, unknown>>) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", annotations: { [FILES]: JSON.stringify(files) } },
  spec: {
    containers: [{ name: CONTAINER, image: "none", volumeMounts: [{ name: "made", mountPath: "/made" }] }],
    volumes: [{ name: "made", emptyDir: {} }],
  },
});
const at = (name: string) => ({ name, namespace: "default" });
const BY = { fieldManager: "somebody" };

/** Commands in containers on an API server. */
export function execSuite(kind: "local" | "real", skip: string | false = false): void {
  describe(`commands in containers, on the ${kind} API server`, {
    skip: skip !== false,
    timeout: 180_000,
  }, () => {
    let api: TestApi;
    let stack: Stack;
    const running = async (name: string, files: Readonly<Record<string, unknown>> = {}): Promise<void> => {
      await api.client.create(resourceOf(Pod), pod(name, files), BY);
      await eventually(`the pod ${name} to take commands`, async () => {
        const run = api.client.exec(at(name), CONTAINER, ["true"], { maximumBytes: 1 });
        return run.then(
          ({ exitCode }) => exitCode === 0,
          (error: unknown) => {
            if (error instanceof KubeError) return false;
            throw error;
          },
        );
      });
    };
    const run = (name: string, command: readonly string[], maximumBytes = MOST) =>
      api.client.exec(at(name), CONTAINER, command, { maximumBytes });
    const refused = (kinds: readonly string[]) => (error: unknown) =>
      error instanceof KubeError && kinds.includes(error.kind);

    beforeAll(async () => {
      api = await startTestApi({ api: kind });
      await running("runs", { "/tmp/key": "a=1\nb=2\n", "/tmp/large": MOST + 1, "/made/none": null });
    }, 180_000);
    afterAll(() => stack?.stop());

    it("give what they print, and their exit code", async () => {
      const { exitCode, stdout } = await run("runs", ["cat", "/tmp/key"]);
      assert.deepEqual([exitCode, Buffer.from(stdout).toString()], [0, "a=1\nb=2\n"]);
      assert.equal((await run("runs", ["cat", "/made/none"])).exitCode, 1);
      assert.equal((await run("runs", ["no such thing"])).exitCode, 127);
      const large = await run("runs", ["cat", "/tmp/large"], MOST + 1);
      assert.equal(large.stdout.length, MOST + 1);
    });

    it("are refused where they print too much, or where nothing runs", async () => {
      await assert.rejects(
        run("runs", ["cat", "/tmp/large"]),
        (error) => error instanceof KubeError && error.code === "KUBE_OUTPUT_TOO_LARGE",
      );
      await assert.rejects(run("nobody", ["true"]), refused(["missing"]));
      await assert.rejects(
        api.client.exec(at("runs"), "other", ["true"], { maximumBytes: 1 }),
        refused(["unavailable", "invalid"]),
      );
    });

    it("are refused where the files of the Pod are none, and the server goes on", async () => {
      for (const [name, files] of [
        ["no-json", "{"],
        ["no-object", "[]"],
        ["no-size", '{"/tmp/key": -1}'],
      ] as const) {
        await running(name, {});
        await api.client.patch(
          resourceOf(Pod),
          at(name),
          "merge",
          { metadata: { annotations: { [FILES]: files } } },
          BY,
        );
        // A kubelet hears of the annotation a little later.
        await eventually(`the refusal of ${name}`, async () => {
          const ran = run(name, ["cat", "/tmp/key"]).then(
            () => undefined,
            (error: unknown) => error,
          );
          const error = await ran;
          return error instanceof KubeError && error.message.includes(FILES);
        });
        assert.equal((await run("runs", ["true"])).exitCode, 0);
      }
    });

    it("end with the run that asked for them", async () => {
      const signal = AbortSignal.abort();
      await assert.rejects(
        api.client.exec(at("runs"), CONTAINER, ["true"], { maximumBytes: 1, signal }),
        refused(["aborted"]),
      );
    });

    describe("of a function", () => {
      const said = async (name: string): Promise<string | undefined> =>
        ((await api.client.get(resourceOf(Tank), at(name)))?.status as { readonly note?: string })?.note;
      beforeAll(async () => {
        stack = await startStack({ api, systems: [system] });
      }, 180_000);

      it("go into a Secret, and nowhere else", async () => {
        await running("copied", { "/tmp/key": "user=hunter2\n" });
        await api.client.create(resourceOf(Tank), tank("copied", { size: 1 }), BY);
        await eventually("the Secret", async () => (await said("copied")) === "[sealed: 13 bytes]");
        const secret = await api.client.get(resourceOf(Secret), at("copied"));
        const data = secret?.data as Readonly<Record<string, string>>;
        const texts = Object.entries(data).map(([key, text]) => [
          key,
          Buffer.from(text, "base64").toString(),
        ]);
        assert.deepEqual(Object.fromEntries(texts), { key: "user=hunter2\n", user: "hunter2" });
        const map = await api.client.get(resourceOf(ConfigMap), at("copied"));
        assert.deepEqual(map?.data, { user: "hunter2" });
        assert.deepEqual(map?.binaryData, { key: Buffer.from("user=hunter2\n").toString("base64") });
        const runs = await stack.engine.bus.history.ofKey({ function: "copies", key: "default/copied" }, 50);
        assert.doesNotMatch(JSON.stringify(runs), /hunter2/);
      });

      it("are refused where it does not say why it runs them", async () => {
        await eventually("the refusal", async () => {
          const dead = await stack.engine.bus.deadLetters.list();
          return dead.some(({ error }) => error.code === "UNDECLARED_READ" && /executes/.test(error.message));
        });
      });

      it("are refused in another place", async () => {
        await running("spilt", { "/tmp/key": "hunter2" });
        await api.client.create(resourceOf(Tank), tank("spilt", { size: 2 }), BY);
        await eventually("the refusal", async () => {
          const dead = await stack.engine.bus.deadLetters.list();
          return dead.some(
            ({ error }) => error.code === "SEALED_ELSEWHERE" && !/hunter2/.test(error.message),
          );
        });
        assert.equal(await api.client.get(resourceOf(Secret), at("spilt")), undefined);
      });
    });
  });
}
