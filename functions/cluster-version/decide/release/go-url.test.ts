import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { isUrl } from "./go-url.ts";

describe("what upstream takes for a URL", () => {
  for (const [text, expected] of [
    ["https://updates.example/graph?a=b", true],
    ["http://[::1]:8080/graph", true],
    ["updates.example/graph", true],
    ["/graph", true],
    ["mailto:a@b", true],
    ["https://user:word@host:443/", true],
    ["#%GG", false],
    ["https://host/%zz", false],
    ["::", false],
    [":graph", false],
    ["1host:80/graph", false],
    ["https://host:port/", false],
    ["https://ho st/", false],
    ["https://host/\n", false],
  ] as const)
    test(JSON.stringify(text), () => assert.equal(isUrl(text), expected));
  test("every address of the web", () =>
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => isUrl(url)),
    ));
});
