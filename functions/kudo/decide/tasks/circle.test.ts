import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Definition } from "../definition/index.ts";
import { dependencyFault } from "./circle.ts";

const version = (operator: string, ...below: readonly string[]): Definition => ({
  metadata: { name: `${operator}-1.0` },
  spec: {
    tasks: below.map((one) => ({
      name: one,
      kind: "KudoOperator",
      spec: { package: one, operatorVersion: "1.0" },
    })),
  },
});

describe("the dependencies of a version", () => {
  for (const [title, versions, fault] of [
    ["none", [version("a")], undefined],
    ["a chain", [version("a", "b"), version("b", "c"), version("c")], undefined],
    [
      "two ways to one",
      [version("a", "b", "c"), version("b", "d"), version("c", "d"), version("d")],
      undefined,
    ],
    ["itself", [version("a", "a")], "cyclic package dependency found: a-1.0 -> a-1.0"],
    [
      "a circle further down",
      [version("a", "b"), version("b", "c"), version("c", "b")],
      "cyclic package dependency found: b-1.0 -> c-1.0 -> b-1.0",
    ],
    [
      "one that is not there",
      [version("a", "b")],
      "OperatorVersion b-1.0, which a-1.0 depends on, does not exist",
    ],
  ] as const)
    test(`${title}: ${fault ?? "no fault"}`, async () => {
      const reads: string[] = [];
      const read = async (name: string) => {
        reads.push(name);
        return versions.find(({ metadata }) => metadata.name === name);
      };
      assert.equal(await dependencyFault(versions[0], read), fault);
      assert.equal(new Set(reads).size, reads.length);
    });
});
