import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { DEFINITIONS, namesOf, type ReadObjects, usersOf, usersOfDefinition } from "./users.ts";
import type { Live } from "./world.ts";

const AT = { request: "list" };
const live = (apiVersion: string, kind: string, name: string, rest: object = {}): Live =>
  ({ apiVersion, kind, metadata: { name, namespace: "user" }, ...rest }) as Live;
const definition = (served: readonly string[]): Live =>
  live(DEFINITIONS.apiVersion, DEFINITIONS.kind, "things.example.org", {
    spec: {
      group: "example.org",
      names: { kind: "Thing", plural: "things" },
      versions: ["v1", "v2"].map((name) => ({ name, served: served.includes(name), storage: name === "v2" })),
    },
  });
/** A server with these objects; a kind that it does not name is unknown to it. */
const serving =
  (objects: Readonly<Record<string, readonly Live[] | KubeError>>): ReadObjects =>
  async ({ apiVersion, kind }) => {
    const found =
      objects[`${apiVersion} ${kind}`] ?? new KubeError("kindMissing", "There is no such kind.", AT);
    if (found instanceof KubeError) throw found;
    return found;
  };
const DEFINED = `${DEFINITIONS.apiVersion} ${DEFINITIONS.kind}`;
const THING = { apiVersion: "example.org/v1", kind: "Thing" };
const [one, two] = [live("example.org/v1", "Thing", "one"), live("example.org/v2", "Thing", "two")];

describe("the objects that users have of a kind", () => {
  it("are those of the version that is asked for", async () => {
    const users = await usersOf(THING, serving({ "example.org/v1 Thing": [one] }));
    assert.deepEqual(namesOf(users), [
      { apiVersion: "example.org/v1", kind: "Thing", name: "one", namespace: "user" },
    ]);
  });

  it("are those of the version that is served, where the asked one is not", async () => {
    const server = serving({ [DEFINED]: [definition(["v2"])], "example.org/v2 Thing": [two] });
    assert.deepEqual((await usersOf(THING, server)).readable, [two]);
  });

  it("are none where nobody defines the kind", async () => {
    const other = { ...definition(["v1"]), spec: { group: "other.example.org", names: { kind: "Thing" } } };
    const server = serving({ [DEFINED]: [other as Live] });
    assert.deepEqual(await usersOf(THING, server), { readable: [], unreadable: [] });
  });

  it("are unknown where it is defined and no version is served", async () => {
    for (const served of [[], ["v2"]])
      await assert.rejects(usersOf(THING, serving({ [DEFINED]: [definition(served)] })), {
        kind: "unavailable",
        message: /no version of it is served/,
      });
  });

  it("are unknown where a list fails", async () => {
    const failed = new KubeError("unavailable", "The server is away.", AT);
    await assert.rejects(usersOf(THING, serving({ "example.org/v1 Thing": failed })), {
      kind: "unavailable",
    });
    await assert.rejects(usersOf(THING, serving({ [DEFINED]: failed })), { kind: "unavailable" });
  });

  it("are found by the definition that goes", async () => {
    const server = serving({ "example.org/v1 Thing": [one] });
    assert.deepEqual((await usersOfDefinition(definition(["v1"]), server)).readable, [one]);
  });
});
