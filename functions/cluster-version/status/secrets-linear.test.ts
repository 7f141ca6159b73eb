import assert from "node:assert/strict";
import { it } from "vitest";
import { secretsIn } from "./secrets.ts";

it("looks through a text in as long as it is, whatever somebody wrote", () => {
  const hostile = [
    "\n",
    " ",
    "a.",
    "eyJaaaaaaaa-",
    "eyJaaaaaaaa.",
    "eyJ",
    "a://b:",
    "Bearer ",
    "token ",
    '"token" ',
  ];
  const cpuFor = (text: string): number => {
    const times = Array.from({ length: 3 }, () => {
      const began = process.cpuUsage();
      secretsIn({ message: text });
      return process.cpuUsage(began).user;
    });
    return Math.min(...times);
  };
  for (const part of hostile) {
    const textOf = (length: number): string => part.repeat(length / part.length);
    const few = cpuFor(textOf(20_000));
    const many = cpuFor(textOf(200_000));
    // A square would be a hundred times as long, and seconds.
    assert.ok(many < Math.max(40 * few, 100_000), `${JSON.stringify(part)}: ${few} µs, then ${many} µs`);
  }
});

it("finds a web token among other words, and takes three short words for none", () => {
  const token = `eyJ${"a".repeat(20)}.${"b".repeat(20)}.${"c".repeat(20)}`;
  for (const text of [token, `x-y-${token}`, `see https://a.example.org/?q=${token}&r=1`, `a.b.${token}.d`])
    assert.equal(secretsIn({ message: text })[0]?.looksLike, "a JSON web token", text);
  for (const text of [
    "eyJ.b.c",
    `eyJ${"a".repeat(20)}.b.c`,
    "one.two.three",
    `xeyJ${"a".repeat(20)}.${"b".repeat(20)}.${"c".repeat(20)}`,
  ])
    assert.deepEqual(secretsIn({ message: text }), [], text);
});
