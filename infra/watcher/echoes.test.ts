import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, it, type TestContext } from "vitest";
import type { ResourceChanged } from "../../events/index.ts";
import { EchoStage, type Pending, versionOf } from "../testing/echo-stage.ts";

async function stage(t: TestContext): Promise<EchoStage> {
  const made = new EchoStage(t);
  await made.turn();
  made.take();
  return made;
}
const READY = { conditions: [{ type: "Ready", status: "True" }] };

describe("the line of an own write", () => {
  it("is left out where the answer came first, and the ledger takes it from the answer", async (t) => {
    const on = await stage(t);
    const write = on.send("a");
    assert.ok(on.land(write));
    on.answer(write);
    on.readAll();
    await on.turn();
    assert.deepEqual([on.take(), on.dropped, on.published], [[], 1, "103"]);
    on.break();
    await on.turn();
    // Told once more by a list, it says nothing new.
    on.watcher.retry();
    on.change("a");
    on.readAll();
    await on.turn();
    assert.equal(on.take().length, 1);
    assert.equal(on.own.size, 0);
  });

  it("waits for the answer, and keeps the position back meanwhile", async (t) => {
    const on = await stage(t);
    const write = on.send("a");
    on.land(write);
    on.change("b");
    on.readAll();
    await on.turn();
    assert.deepEqual(on.take(), ["resource.changed b uid-2 104"], "others go on");
    assert.equal(on.published, "102");
    on.answer(write);
    await on.turn();
    assert.deepEqual([on.take(), on.dropped, on.published], [[], 1, "104"]);
  });

  it("is told after 100 ms, whatever becomes of the answer", async (t) => {
    const on = await stage(t);
    const write = on.send("a");
    on.land(write);
    on.readAll();
    on.clock.advance(99);
    await on.turn();
    assert.deepEqual(on.take(), []);
    on.clock.advance(1);
    await on.turn();
    assert.deepEqual(on.take(), ["resource.changed a uid-1 103"]);
    on.answer(write);
    await on.turn();
    assert.deepEqual([on.take(), on.dropped, on.published], [[], 0, "103"]);
  });

  it("is told where the answer is a conflict, or unknown", async (t) => {
    const on = await stage(t);
    const refused = on.send("a");
    on.change("a");
    assert.equal(on.land(refused), false);
    on.readAll();
    await on.turn();
    assert.deepEqual(on.take(), []);
    on.answer(refused);
    await on.turn();
    assert.deepEqual(on.take(), ["resource.changed a uid-1 103"]);
    const unknown = on.send("a");
    on.land(unknown);
    on.readAll();
    unknown.sending.ended();
    await on.turn();
    assert.deepEqual([on.take(), on.dropped], [["resource.changed a uid-1 104"], 0]);
  });

  it("lets a delete and what follows it pass, in order", async (t) => {
    const on = await stage(t);
    const write = on.send("a");
    on.land(write);
    on.remove("a");
    on.create("a");
    on.readAll();
    await on.turn();
    const types = on.told.map(({ type }) => type);
    assert.deepEqual(types, ["resource.deleted", "resource.changed"]);
    on.answer(write);
    await on.turn();
    assert.equal(on.published, "105");
  });

  it("is told with what another wrote in between, in one event", async (t) => {
    const on = await stage(t);
    const write = on.send("a");
    on.land(write);
    on.change("a");
    on.readAll();
    on.answer(write);
    await on.turn();
    assert.deepEqual([on.take(), on.dropped], [["resource.changed a uid-1 104"], 1]);
  });

  it("is told to others: to a key that waits, and on a flip of ready where somebody hears of it", async (t) => {
    const on = await stage(t);
    on.othersHear = ({ type }) => type === "dependency.ready";
    const flip = on.send("a");
    on.land(flip, READY);
    on.answer(flip);
    on.readAll();
    await on.turn();
    assert.deepEqual(on.take(), ["resource.changed a uid-1 103", "dependency.ready a uid-1 103"]);
    on.othersHear = () => true;
    const seen = on.send("a");
    on.land(seen, { ...READY, doubled: 2 });
    on.answer(seen);
    on.readAll();
    await on.turn();
    assert.deepEqual([on.take(), on.dropped], [["resource.changed a uid-1 104"], 0]);
  });

  it("is told once its key runs again, after another stream begins and in another era", async (t) => {
    const on = await stage(t);
    const ways: readonly (() => void)[] = [
      () => void on.own.run({ function: "widget", key: "a" }),
      () => on.own.forgetAll(),
    ];
    for (const way of ways) {
      const write = on.send("a");
      on.land(write);
      on.answer(write);
      way();
      on.readAll();
      await on.turn();
      assert.equal(on.take().length, 1);
    }
    const write = on.send("a");
    on.land(write);
    on.answer(write);
    on.break();
    await on.turn();
    on.readAll();
    await on.turn();
    assert.deepEqual([on.take().length, on.dropped], [1, 0]);
  });

  it("is read again where the stream ends while it waits", async (t) => {
    const on = await stage(t);
    const write = on.send("a");
    on.land(write);
    on.change("b");
    on.readAll();
    await on.turn();
    on.take();
    on.break();
    await on.turn();
    on.readAll();
    on.answer(write);
    await on.turn();
    assert.deepEqual([on.take(), on.published], [["resource.changed a uid-1 103"], "104"]);
  });

  it("is anybody's where the object is called by a label like a version", async (t) => {
    const on = await stage(t);
    const write = on.send("a");
    on.land(write);
    on.answer(write);
    const [line = ""] = on.lines.splice(0);
    on.lines.push(line.replace('"name":"a"', '"labels":{"resourceVersion":"1"},"name":"a"'));
    on.readAll();
    await on.turn();
    assert.deepEqual([on.take().length, on.dropped], [1, 0]);
  });
});

type Step = "change" | "send" | "land" | "answer" | "lose" | "read" | "time" | "break" | "remove" | "run";
const steps = fc.array(
  fc.record({
    do: fc.constantFrom<Step>(
      "change",
      "send",
      "send",
      "send",
      "land",
      "land",
      "land",
      "land",
      "answer",
      "answer",
      "answer",
      "answer",
      "lose",
      "read",
      "read",
      "read",
      "read",
      "read",
      "read",
      "time",
      "break",
      "remove",
      "run",
    ),
    name: fc.constantFrom("a", "b"),
    turns: fc.boolean(),
  }),
  { minLength: 10, maxLength: 60, size: "max" },
);

/** Plays steps and tells, at each, what would be missed if the process died now. */
class Play {
  readonly on = new EchoStage(undefined);
  /** The answers that count, by version: until their key runs again, or another stream begins. */
  readonly fresh = new Map<string, string>();
  readonly leftOut = new Set<string>();
  readonly all = new Map<string, string>();
  readonly #pending = new Map<string, Pending>();

  async step({ do: what, name, turns }: { do: Step; name: string; turns: boolean }): Promise<void> {
    const { on } = this;
    const pending = this.#pending.get(name);
    const isThere = on.objects.has(name);
    switch (what) {
      case "change":
        if (isThere) this.all.set(on.change(name).metadata.resourceVersion ?? "", name);
        break;
      case "send":
        if (!isThere || pending !== undefined) break;
        this.#runsAgain(name);
        this.#pending.set(name, on.send(name));
        break;
      case "land":
        if (pending?.answer === undefined && pending !== undefined && on.land(pending))
          this.all.set(on.objects.get(name)?.metadata.resourceVersion ?? "", name);
        break;
      case "answer":
      case "lose":
        if (pending === undefined) break;
        this.#pending.delete(name);
        if (what === "lose") pending.sending.ended();
        else {
          if (pending.answer !== undefined)
            this.fresh.set(pending.answer.metadata.resourceVersion ?? "", name);
          on.answer(pending);
        }
        break;
      case "read":
        on.read();
        break;
      case "time":
        on.clock.advance(100);
        break;
      case "break":
        this.fresh.clear();
        for (const one of this.#pending.values()) one.answer = undefined;
        on.break();
        await on.turn();
        break;
      case "remove":
        if (isThere) on.remove(name);
        else on.create(name);
        break;
      case "run":
        if (pending !== undefined) break;
        this.#runsAgain(name);
        on.own.run({ function: "widget", key: name });
        break;
    }
    this.#look();
    if (turns) await on.turn();
  }

  /** Only the answers that count may have been left out. */
  #look(): void {
    for (const one of this.on.leftOut.splice(0)) {
      const version = one.split(" ")[1] ?? "";
      assert.ok(this.fresh.has(version), `${one} is no answer that counts`);
      this.leftOut.add(version);
    }
  }

  #runsAgain(name: string): void {
    for (const [version, of] of this.fresh) if (of === name) this.fresh.delete(version);
  }

  /** The versions up to one of which nobody was told, and which were not left out as the echoes that they were. */
  missed(upTo: string | undefined): string[] {
    const told = new Map<string, number>();
    for (const event of this.on.told) {
      const { ref } = event.data as ResourceChanged["data"];
      told.set(ref.name, Math.max(told.get(ref.name) ?? 0, Number(versionOf(event))));
    }
    return [...this.all].flatMap(([version, name]) =>
      Number(version) <= Number(upTo ?? 0) &&
      (told.get(name) ?? 0) < Number(version) &&
      !this.leftOut.has(version)
        ? `${name} ${version}`
        : [],
    );
  }

  async end(): Promise<void> {
    const { on } = this;
    for (const pending of this.#pending.values()) pending.sending.ended();
    this.#pending.clear();
    for (let round = 0; round < 3; round++) {
      on.clock.advance(30_000);
      await on.turn();
      on.readAll();
      this.#look();
      on.clock.advance(100);
      await on.turn();
    }
  }
}

describe("whatever the order of lines, answers, breaks and deaths", () => {
  it("nothing that others wrote is missed, and the position never passes what waits", {
    timeout: 120_000,
  }, async () => {
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        const play = new Play();
        await play.on.turn();
        for (const step of played) {
          await play.step(step);
          assert.deepEqual(play.missed(play.on.published), []);
        }
        await play.end();
        assert.deepEqual(play.missed(play.on.history.at(-1)?.version.toString()), []);
        assert.equal(play.on.watcher.position().dirty, 0);
        assert.equal(play.on.published, String(play.on.history.at(-1)?.version));
        dropped += play.on.dropped;
        await play.on.watcher.stop();
      }),
      { numRuns: 400 },
    );
    assert.ok(dropped > 30, `${dropped} lines were left out`);
  });
});
