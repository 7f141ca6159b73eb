import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, it } from "vitest";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { handOver } from "../../shared/bus/nats/delivery.ts";
import type { NatsBus } from "../../shared/bus/nats/index.ts";
import { Names } from "../../shared/bus/nats/names.ts";
import { workMessageOf } from "../../shared/bus/nats/work-message.ts";
import { changed, done, F, Hands, keyOf } from "./fixture.ts";
import { type NatsStage, startNatsStage } from "./nats-stage.ts";
import { LEASE, RETRY, requestAt } from "./stage.ts";

describe("a host that is kept empty on NATS", { skip: skipWithoutNats() !== false }, () => {
  let stage: NatsStage;
  let other: NatsConnection;
  beforeAll(async () => {
    stage = await startNatsStage();
    other = await connect({ servers: stage.server.url });
  });
  afterAll(async () => {
    await other?.close();
    await stage?.stop();
  });

  /** As another host does that is given an item of a key which runs elsewhere. */
  const handedTo = async ({ host }: NatsBus, name: string): Promise<string> => {
    const names = new Names("t1");
    const key = keyOf(name);
    const subject = names.waiting(key, "urgent");
    const manager = await jetstreamManager(other);
    const stored = await manager.streams.getMessage(names.work, { last_by_subj: subject });
    assert.ok(stored !== null);
    const { seq, data: body } = stored;
    const { payload, headers } = handOver({
      key,
      sort: "urgent",
      subject,
      seq,
      ack: "",
      message: workMessageOf(body),
      arrivedAt: 0,
    });
    return (await other.request(names.host(F, host), payload, { headers, timeout: 5_000 })).string();
  };

  it("opens after the run of a suspect, whatever others hand over for its key", async () => {
    const clock = stage.clock();
    let under = await stage.makeBus(requestAt(clock));
    await under.bus.publish([changed("one"), changed("two")]);
    for (const _death of [1, 2]) {
      const theirs = new Hands(under.bus, clock);
      await clock.advance(LEASE);
      assert.equal((await theirs.running()).length, 2);
      under.kill();
      under = await (under.reopen?.() ?? assert.fail("it cannot be opened again"));
    }
    const mine = new Hands(under.bus, clock);
    await clock.advance(LEASE);
    await clock.advance(RETRY.maximumMilliseconds);
    const first = await mine.only();
    const { key } = first.item;
    await under.bus.publish([changed(key)]);
    assert.equal(await handedTo(under.bus as NatsBus, key), "taken");
    await first.end(done(first.item));
    const second = await mine.only();
    assert.notEqual(second.item.key, key, "the other one has its turn");
    await second.end(done(second.item));
    const again = await mine.only();
    assert.equal(again.item.key, key, "what was handed over is run then");
    await again.end(done(again.item));
    await under.bus.close();
  });
});
