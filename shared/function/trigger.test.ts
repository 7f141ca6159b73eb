import assert from "node:assert/strict";
import { it } from "vitest";
import { type CertifiedTrigger, defineSystem } from "./index.ts";

const trigger: CertifiedTrigger = {
  name: "told",
  path: "/v2/:house/event",
  proof: "certificate",
  maximumBody: 100,
  read: () => ({ ignored: "nothing" }),
};
const declare = (...triggers: readonly Partial<CertifiedTrigger>[]) =>
  defineSystem({
    name: "told-things",
    functions: [],
    triggers: triggers.map((one) => ({ ...trigger, ...one })),
  });

it("a system's trigger has a name, a path of its own and takes a body", () => {
  const refused = (why: RegExp, ...triggers: readonly Partial<CertifiedTrigger>[]): void =>
    assert.throws(() => declare(...triggers), { code: "DECLARATION_TRIGGER", message: why });
  assert.deepEqual(
    declare({}, { name: "other", path: "/v2/house/event" }).triggers.map(({ name }) => name),
    ["told", "other"],
  );
  for (const path of ["event", "/", "/a//b", "/events", "/triggers/told", "/a b", "/a?b"])
    refused(/its path/, { path });
  for (const maximumBody of [0, 1.5, Number.NaN]) refused(/takes nothing/, { maximumBody });
  refused(/its name or its path: told/, {}, { path: "/other" });
  refused(/its name or its path: \/v2\/:\/event/, {}, { name: "other", path: "/v2/:street/event" });
  assert.throws(() => declare({ name: "Told" }), { code: "DECLARATION_NAME" });
});
