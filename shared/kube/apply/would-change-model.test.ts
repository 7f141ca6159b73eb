import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import type { KubeObject } from "../object.ts";
import { entry, object, ours } from "./test-objects.ts";
import { wouldChange } from "./would-change.ts";

/** A model of server-side apply for maps of maps: values by path, owners by path. */
type Tree = { [name: string]: Tree | number };
const leaves = (tree: Tree, path: readonly string[] = []): [string, number][] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "number"
      ? [[[...path, name].join("."), value] as [string, number]]
      : leaves(value, [...path, name]),
  );
function nest(paths: Iterable<readonly [string, unknown]>, prefix: string): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of paths) {
    const steps = path.split(".").map((step) => `${prefix}${step}`);
    let at = root;
    for (const step of steps.slice(0, -1)) {
      at[step] ??= {};
      at = at[step] as Record<string, unknown>;
    }
    at[steps.at(-1) ?? ""] = value;
  }
  return root;
}
class Model {
  readonly values = new Map<string, number>();
  readonly owners = new Map<string, Set<string>>();
  apply(manager: string, body: Tree): void {
    const wanted = new Map(leaves(body));
    const own = this.owners.get(manager) ?? new Set<string>();
    for (const path of own) {
      const shared = [...this.owners].some(([other, paths]) => other !== manager && paths.has(path));
      if (!wanted.has(path) && !shared) this.values.delete(path);
    }
    for (const [path, value] of wanted) {
      if (this.values.get(path) !== value)
        for (const [other, paths] of this.owners) if (other !== manager) paths.delete(path);
      this.values.set(path, value);
    }
    this.owners.set(manager, new Set(wanted.keys()));
  }
  get object(): KubeObject {
    const managedFields = [...this.owners]
      .filter(([, paths]) => paths.size > 0)
      .map(([manager, paths]) =>
        entry(
          nest(
            [...paths].map((path) => [`spec.${path}`, {}] as const),
            "f:",
          ),
          { manager },
        ),
      );
    return object({ spec: nest(this.values, "") }, { managedFields });
  }
  get state(): string {
    return JSON.stringify([
      [...this.values].sort(),
      [...this.owners].map(([manager, paths]) => [manager, [...paths].sort()]).sort(),
    ]);
  }
}

test("against a model of the server: never a wrong skip, never a needless send", () => {
  const leaf = fc.integer({ min: 0, max: 2 });
  const tree = fc.dictionary(
    fc.constantFrom("a", "b"),
    fc.oneof(leaf, fc.dictionary(fc.constantFrom("x", "y"), leaf, { minKeys: 1 })),
    { minKeys: 1 },
  );
  // A name is either always a map or always a number, as in a schema.
  const shaped = tree.map(
    (it) =>
      Object.fromEntries(
        Object.entries(it).map(([name, value]) =>
          name === "a"
            ? [name, typeof value === "number" ? value : 0]
            : [name, typeof value === "number" ? { x: value } : value],
        ),
      ) as Tree,
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("ours", "theirs"), shaped), { minLength: 1, maxLength: 12 }),
      shaped,
      (history, desired) => {
        const model = new Model();
        for (const [manager, body] of history) model.apply(manager, body);
        const predicted = wouldChange(object({ spec: desired }), model.object, ours);
        const before = model.state;
        model.apply("ours", desired);
        assert.equal(predicted, model.state !== before);
      },
    ),
    { numRuns: 2000 },
  );
});
