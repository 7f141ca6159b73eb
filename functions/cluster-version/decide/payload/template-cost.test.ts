import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { configMap, payloadFiles } from "../../test/payload-files.ts";
import { contentsOf } from "./contents.ts";
import { PayloadError } from "./errors.ts";
import { DEFAULT_PROFILE } from "./payload.ts";
import { render, TemplateError } from "./template.ts";

const VALUES = { ReleaseImage: "reg.example/rel:1", ClusterProfile: "edge", Images: {} };

/** What an unfriendly image may repeat. */
const REPEATED: Readonly<Record<string, string>> = {
  "actions that are never closed": "{{if",
  "braces alone": "{{",
  "small actions": "{{``}}",
  "conditions side by side": "{{if true}}{{end}}\n",
  "else ifs": "{{if true}}{{else if false}}{{end}}",
  "comments that are never closed": "{{/* ",
  "strings that are never closed": '{{"',
  "white space within": "{{ \t \t ",
  "trim marks": "{{- `` -}}   ",
};

/** Milliseconds of this thread's own work, however busy the machine is: the least of several tries. */
function cost(text: string): number {
  const tries = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    try {
      render(text, VALUES);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...tries);
}

describe("reading a template costs as much as it is long", () => {
  for (const [name, part] of Object.entries(REPEATED))
    test(name, () => {
      const [few, many] = [part.repeat(2_000), part.repeat(20_000)];
      cost(few);
      // Ten times as long: ten times as much where it is linear, a hundred times where it is not. A few milliseconds are noise.
      const [one, ten] = [cost(few), cost(many)];
      assert.ok(ten < 35 * Math.max(one, 2), `${one} ms, and ten times as long: ${ten} ms`);
    });
});

describe("what nests without end is a fault of its file", () => {
  for (const [name, template] of Object.entries({
    conditions: "{{if true}}".repeat(20_000) + "{{end}}".repeat(20_000),
    parentheses: `{{${"(".repeat(20_000)}true${")".repeat(20_000)}}}`,
    pipes: `{{true${" | not".repeat(20_000)}}}`,
  }))
    test(name, () =>
      assert.throws(
        () =>
          contentsOf(
            payloadFiles({ "manifests/0000_a.yaml": template, "manifests/0000_b.yaml": configMap("b") }),
            {
              image: "reg.example/rel:1",
              profile: DEFAULT_PROFILE,
            },
          ),
        (error) =>
          error instanceof PayloadError &&
          error.message.endsWith("manifests/0000_a.yaml: line 1: it is nested more than 100 levels deep"),
      ),
    );
});
