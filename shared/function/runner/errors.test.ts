import assert from "node:assert/strict";
import { it } from "node:test";
import { effectErrorOf, TerminalError } from "./errors.ts";

it("says where code threw that did not mean to, and leaves alone what was said on purpose", () => {
  const careless = (): unknown => {
    try {
      const nothing: unknown = undefined;
      return (nothing as { readonly here: string }).here;
    } catch (thrown) {
      return thrown;
    }
  };
  const { code, message, retryable } = effectErrorOf(careless());
  assert.deepEqual([code, retryable], ["UNEXPECTED", true]);
  assert.match(message, /^Cannot read properties of undefined \(reading 'here'\) \(errors\.test\.ts:\d+\)$/);
  assert.equal(effectErrorOf(new TerminalError("no such size")).message, "no such size");
  assert.equal(effectErrorOf("thrown as text").message, "thrown as text");
});
