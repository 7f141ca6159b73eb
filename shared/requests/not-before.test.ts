import assert from "node:assert/strict";
import { test } from "vitest";
import { notBeforeOf } from "./not-before.ts";

const NOW = Date.parse("2026-01-15T10:00:00Z");
const inSeconds = (headers: Readonly<Record<string, string>>): number | undefined => {
  const time = notBeforeOf(new Headers(headers), NOW);
  return time === undefined ? undefined : (time - NOW) / 1000;
};
const reset = (seconds: number): string => String(NOW / 1000 + seconds);

test.each<[string, Readonly<Record<string, string>>, number | undefined]>([
  ["nothing is said", {}, undefined],
  ["seconds", { "retry-after": "17" }, 17],
  ["a date", { "retry-after": "Thu, 15 Jan 2026 10:17:00 GMT" }, 17 * 60],
  ["a date that is past", { "retry-after": "Thu, 15 Jan 2026 09:00:00 GMT" }, 1],
  ["at once", { "retry-after": "0" }, 1],
  ["nonsense", { "retry-after": "soon" }, undefined],
  ["a year", { "retry-after": "31536000" }, 24 * 3600],
  ["a reset once nothing remains", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(1020) }, 1020],
  [
    "a reset while some remain",
    { "x-ratelimit-remaining": "3", "x-ratelimit-reset": reset(1020) },
    undefined,
  ],
  [
    "both: the one that is meant for this request",
    { "retry-after": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(1020) },
    60,
  ],
])("%s", (_, headers, seconds) => assert.equal(inSeconds(headers), seconds));
