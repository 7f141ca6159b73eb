import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { describe, test } from "vitest";
import { skipWithoutControlPlane } from "../testing/control-plane.ts";
import { eventually as comesTrue } from "../testing/eventually.ts";
import { type ControlPlane, startControlPlane } from "./real-control-plane.ts";

test("says what is missing and where to get it", async () => {
  const empty = mkdtempSync(join(tmpdir(), "no-binaries-"));
  try {
    await assert.rejects(startControlPlane({ binaries: "" }), {
      code: "CONTROL_PLANE_BINARIES_MISSING",
      message: /KUBEBUILDER_ASSETS is not set.*setup-envtest use -p env/,
    });
    await assert.rejects(startControlPlane({ binaries: empty }), {
      code: "CONTROL_PLANE_BINARIES_MISSING",
      message: /no executable etcd, kube-apiserver;/,
    });
  } finally {
    rmSync(empty, { recursive: true });
  }
});

describe("the real control plane", { skip: skipWithoutControlPlane() !== false }, () => {
  test("brings back an API server that somebody killed, with what it knew", async () => {
    const plane = await startControlPlane({ keepAlive: true });
    try {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" } };
      assert.equal((await ask(plane, "POST", "/api/v1/namespaces/default/configmaps", body)).status, 201);
      const { pid } = plane.apiserver;
      assert.ok(pid !== undefined);
      process.kill(pid, "SIGKILL");
      const isBack = async (): Promise<boolean> => {
        if (plane.apiserver.pid === undefined || plane.apiserver.pid === pid) return false;
        const answer = await ask(plane, "GET", "/api/v1/namespaces/default/configmaps/kept").catch(
          () => undefined,
        );
        return answer?.status === 200;
      };
      await comesTrue("the API server to be back", isBack, 60_000);
    } finally {
      await plane.stop();
    }
  });

  test("keeps its objects, its credentials and its port over stop and start in one folder", async () => {
    const directory = mkdtempSync(join(tmpdir(), "durable-"));
    try {
      const auditLog = join(directory, "audit.jsonl");
      const first = await startControlPlane({ directory, auditLog });
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" } };
      assert.equal((await ask(first, "POST", "/api/v1/namespaces/default/configmaps", body)).status, 201);
      assert.match(readFileSync(auditLog, "utf8"), /"verb":"create".*"name":"kept"/);

      await first.apiserver.kill();
      assert.equal(first.apiserver.pid, undefined);
      await first.apiserver.restart();
      assert.equal((await ask(first, "GET", "/api/v1/namespaces/default/configmaps/kept")).status, 200);
      await first.stop();

      const second = await startControlPlane({ directory });
      try {
        assert.deepEqual(second.kubeconfig, first.kubeconfig);
        assert.equal((await ask(second, "GET", "/api/v1/namespaces/default/configmaps/kept")).status, 200);
      } finally {
        await second.stop();
      }
      assert.ok(existsSync(join(directory, "etcd")));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test("refuses a port that another program holds", async (t) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    t.onTestFinished(() => void server.close());
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    await assert.rejects(startControlPlane({ port: address.port }), {
      code: "CONTROL_PLANE_PORT_TAKEN",
      message: /EADDRINUSE/,
    });
  });

  test("dies with the program that started it, and leaves no folder behind", async () => {
    const module = new URL("./real-control-plane.ts", import.meta.url).href;
    const script = `const { startControlPlane } = await import(${JSON.stringify(module)});
      const plane = await startControlPlane();
      console.log(JSON.stringify([plane.directory, plane.etcd.pid, plane.apiserver.pid]));
      setInterval(() => undefined, 1e6);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(parent.stdout), "line");
    const [directory, ...pids] = JSON.parse(String(line)) as [string, number, number];
    assert.ok(pids.every(alive));
    parent.kill("SIGKILL");
    await eventually(() => !pids.some(alive) && !existsSync(directory));
  });
});

function ask(
  plane: ControlPlane,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${plane.token}`, "content-type": "application/json" };
    const sent = request(plane.url + path, { method, ca: plane.ca, agent: false, headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
    return false;
  }
}

async function eventually(condition: () => boolean): Promise<void> {
  for (const until = Date.now() + 10_000; !condition(); await pause(20))
    assert.ok(Date.now() < until, "not within 10 s");
}
