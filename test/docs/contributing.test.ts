import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { root, tableOf } from "./pages.ts";

/** The folders that the page sends whoever adds a bus to. */
const places = tableOf("CONTRIBUTING.md", "place", "what it needs").flatMap(([cell = ""]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place),
);
const BUSES = ["embedded", "nats", "sqs"];

/** Files of code outside its own folder that know this bus: they import from it, or choose it by name. */
function knowing(bus: string): readonly string[] {
  const known = new RegExp(
    `/bus/${bus}/|\\bkind["']?\\s*(?:===|!==|:|eq \\S+)\\s*["']${bus}["']|case ["']${bus}["']|["']${bus}["'] in |literal\\("${bus}"\\)`,
  );
  return globSync("{events,functions,shared,infra,test}/**/*.{ts,tpl,yaml,yml}", { cwd: root }).filter(
    (file) => !file.startsWith(`shared/bus/${bus}/`) && known.test(readFileSync(join(root, file), "utf8")),
  );
}

describe("CONTRIBUTING.md", () => {
  it("names every folder that knows of a bus, and no other", () => {
    const own = places.map((place) => place.replace("<name>", "[a-z]+"));
    assert.ok(own.length > 8, own.join(" "));
    const files = BUSES.flatMap(knowing);
    const isIn = (file: string, place: string): boolean => new RegExp(`^${place}`).test(file);
    assert.deepEqual(
      files.filter((file) => !own.some((place) => isIn(file, place))),
      [],
      "the page does not send anybody there",
    );
    const elsewhere = own.filter((place) => !place.startsWith("shared/bus/") && place !== "docs/");
    assert.deepEqual(
      elsewhere.filter((place) => !files.some((file) => isIn(file, place))),
      [],
      "nothing there knows a bus",
    );
  });

  it("copies from what there is", () => {
    const copied = tableOf("CONTRIBUTING.md", "I want to add").flatMap(([, , from = ""]) =>
      [...from.matchAll(/`([a-z]+\/[^`]*)`/g)].map(([, path = ""]) => path),
    );
    assert.ok(copied.length > 10, String(copied.length));
    assert.deepEqual(
      copied.filter((path) => globSync(path.replace(/\/$/, ""), { cwd: root }).length === 0),
      [],
    );
  });
});
