import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { canonical, canonicalDigest } from "./canonical.ts";
import { digest } from "./digest.ts";

test("the digest of a value is that of its canonical text, however long it is", () => {
  const long = Array.from({ length: 1_000 }, (_, index) => ({ name: `\u{1F600}${index}`, value: null }));
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.boolean(), (value, isLong) => {
      const whole = isLong ? { value, long } : value;
      const text = canonical(whole);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(whole)));
      assert.deepEqual(canonicalDigest(whole), { digest: digest(text), bytes: Buffer.byteLength(text) });
    }),
    { numRuns: 20 },
  );
});
