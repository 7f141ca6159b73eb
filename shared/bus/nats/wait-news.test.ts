import assert from "node:assert/strict";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { test } from "vitest";
import type { WaitedObject } from "../contract.ts";
import { VERSION } from "./version.ts";
import { WaitNews } from "./wait-news.ts";

const KEYS = 30_000;

/** News of waits, as messages come on a connection. */
function heard() {
  let callback: ((error: null, message: Msg) => void) | undefined;
  const told: (readonly WaitedObject[] | undefined)[] = [];
  const connection: Pick<NatsConnection, "subscribe"> = {
    subscribe: (_, options) => {
      callback = options?.callback as typeof callback;
      return {} as ReturnType<NatsConnection["subscribe"]>;
    },
  };
  const news = new WaitNews(connection, { prefix: "r" }, (objects) => told.push(objects));
  news.listen();
  const comes = (key: number, waits: readonly WaitedObject[]): void => {
    const data = new TextEncoder().encode(
      JSON.stringify({ version: VERSION, function: "f", key: String(key), waits }),
    );
    callback?.(null, { data } as Msg);
  };
  return { news, told, comes };
}
const followed = (name: string): WaitedObject => ({
  cluster: "c",
  group: "",
  kind: "Secret",
  name,
  version: "v1",
});

test("what a key follows already is told once, however many keys wait", () => {
  const { told, comes } = heard();
  for (let key = 0; key < KEYS; key++) comes(key, [followed("one")]);
  assert.equal(told.splice(0).length, KEYS);
  for (let key = 0; key < KEYS; key++) comes(key, [followed("one")]);
  assert.deepEqual(told, []);
  comes(0, [followed("one"), followed("two"), { ...followed("three"), version: undefined }]);
  assert.deepEqual(told.splice(0), [[followed("two")]]);
});

test("what a key let go is told when it waits again, and all is after a break", () => {
  const { news, told, comes } = heard();
  comes(1, [followed("one")]);
  comes(1, []);
  comes(1, [followed("one")]);
  assert.deepEqual(told.splice(0), [[followed("one")], [followed("one")]]);
  news.missed();
  comes(1, [followed("one")]);
  assert.deepEqual(told, [undefined, [followed("one")]]);
});
