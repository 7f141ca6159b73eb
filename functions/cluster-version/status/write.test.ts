import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  isConflict,
  type OperatorStatus,
  report,
  type StatusEndpoint,
  StatusError,
  writeStatus,
} from "./index.ts";

const [T1, T2] = ["2026-02-01T08:00:00Z", "2026-02-01T09:00:00Z"];
interface Stored {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly status?: OperatorStatus;
}
const conflict = (): Error => Object.assign(new Error("the object has been modified"), { code: 409 });

/** One object on a server that checks versions. `before` runs before a write arrives: what others do meanwhile. */
class Server implements StatusEndpoint<Stored> {
  object: Stored | undefined;
  reads = 0;
  writes = 0;
  readonly before: (() => void)[] = [];
  constructor(object: Stored | undefined) {
    this.object = object;
  }
  async read(): Promise<Stored | undefined> {
    this.reads += 1;
    return this.object;
  }
  async write(object: Stored): Promise<Stored> {
    this.writes += 1;
    this.before.shift()?.();
    if (this.object?.metadata.resourceVersion !== object.metadata.resourceVersion) throw conflict();
    return this.put(object.status);
  }
  put(
    status: OperatorStatus | undefined,
    uid = this.object?.metadata.uid ?? "u1",
    kind = "ClusterOperator",
  ): Stored {
    const resourceVersion = String(Number(this.object?.metadata.resourceVersion ?? "0") + 1);
    this.object = {
      kind,
      metadata: { name: "x", uid, resourceVersion },
      ...(status !== undefined && { status }),
    };
    return this.object;
  }
}
const server = (status?: OperatorStatus): Server => {
  const made = new Server(undefined);
  made.put(status);
  return made;
};
const available = (now: string) => (object: Stored) =>
  report(object.status, { conditions: [{ type: "Available", status: "True" }] }, now);
const refusal = (code: string, message?: RegExp) => (error: unknown) =>
  error instanceof StatusError && error.code === code && (message?.test(error.message) ?? true);

describe("writeStatus", () => {
  test("writes what is new, and nothing that is stored already", async () => {
    const there = server();
    assert.equal((await writeStatus(there, available(T1))).changed, true);
    assert.equal(there.object?.status?.conditions?.[0]?.lastTransitionTime, T1);
    assert.equal((await writeStatus(there, available(T2))).changed, false);
    assert.equal(there.writes, 1);
    assert.equal(there.object?.status?.conditions?.[0]?.lastTransitionTime, T1);
  });

  test("scenario 3: removing what is not there writes nothing", async () => {
    const there = server({ versions: [{ name: "operator", version: "1" }] });
    const removed = await writeStatus(there, ({ status }) =>
      report(status, { conditions: [], remove: ["Old"] }, T1),
    );
    assert.equal(removed.changed, false);
    assert.equal(there.writes, 0);
  });

  test("where somebody was faster: reads again, keeps what the other wrote, writes once more", async () => {
    const there = server();
    there.before.push(() => there.put({ extension: { nodes: 3 } }));
    const { object } = await writeStatus(there, available(T1));
    assert.deepEqual(object.status?.extension, { nodes: 3 });
    assert.deepEqual([there.reads, there.writes], [2, 2]);
  });

  test("where somebody was faster and wrote the same: stops", async () => {
    const there = server();
    there.before.push(() =>
      there.put(report(undefined, { conditions: [{ type: "Available", status: "True" }] }, T2)),
    );
    const { object, changed } = await writeStatus(there, available(T1));
    assert.deepEqual([changed, object.status?.conditions?.[0]?.lastTransitionTime], [false, T2]);
    assert.equal(there.writes, 1);
  });

  test("a second conflict passes through", async () => {
    const there = server();
    there.before.push(
      () => there.put({ extension: { a: 1 } }),
      () => there.put({ extension: { a: 2 } }),
    );
    await assert.rejects(writeStatus(there, available(T1)), isConflict);
    assert.deepEqual(there.object?.status, { extension: { a: 2 } });
  });

  for (const [kind, words] of [
    ["ClusterVersion", "cluster version"],
    ["ClusterOperator", "cluster operator"],
  ] as const)
    test(`never writes to a ${words} that was made anew`, async () => {
      const there = new Server(undefined);
      there.put(undefined, "u1", kind);
      there.before.push(() => there.put(undefined, "u2", kind));
      await assert.rejects(
        writeStatus(there, available(T1)),
        refusal("STATUS_RECREATED", new RegExp(`^${words} was deleted and recreated, cannot update status$`)),
      );
      assert.equal(there.object?.status, undefined);
    });

  test("says so where the object is gone", async () => {
    await assert.rejects(writeStatus(new Server(undefined), available(T1)), refusal("STATUS_GONE"));
    const there = server();
    there.before.push(() => {
      there.object = undefined;
      throw Object.assign(new Error("not found"), { code: 404 });
    });
    await assert.rejects(writeStatus(there, available(T1)), refusal("STATUS_GONE"));
  });

  test("makes the object first where it may", async () => {
    const there = new Server(undefined);
    const made = { ...bound(there), create: async () => there.put(undefined) };
    assert.equal((await writeStatus(made, available(T1))).changed, true);
    assert.equal(there.object?.status?.conditions?.length, 1);
  });

  test("scenario 43: sends no secret, whoever computed the status", async () => {
    const there = server();
    await assert.rejects(
      writeStatus(there, () => ({ extension: { password: "hunter2" } })),
      refusal("STATUS_SECRET"),
    );
    assert.equal(there.writes, 0);
  });

  test("other errors pass through and nothing is tried again", async () => {
    const there = server();
    const failing = {
      ...bound(there),
      write: async (): Promise<Stored> => {
        throw Object.assign(new Error("no"), { code: 403 });
      },
    };
    await assert.rejects(writeStatus(failing, available(T1)), /^Error: no$/);
    assert.equal(there.reads, 1);
  });
});

const bound = (there: Server): StatusEndpoint<Stored> => ({
  read: () => there.read(),
  write: (object) => there.write(object),
});

test("a conflict is known in the words of the usual clients", () => {
  for (const said of [{ code: 409 }, { statusCode: 409 }, { status: 409 }, { status: { code: 409 } }])
    assert.equal(isConflict(Object.assign(new Error("it changed"), said)), true);
  for (const other of [{ code: 404 }, { status: { code: 404 } }, { status: null }, "409", undefined])
    assert.equal(isConflict(other), false);
});
