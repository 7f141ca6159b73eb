import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { RuntimeObject } from "../../kinds/index.ts";
import { foundObjects } from "./found.ts";
import { DEFINITIONS } from "./users.ts";
import type { Live } from "./world.ts";

const entry = { group: "example.org", version: "v1", kind: "Thing", name: "one", namespace: "user" };
const live = (apiVersion: string): Live =>
  ({ apiVersion, kind: "Thing", metadata: { name: "one", namespace: "user" } }) as Live;
const unknown = new KubeError("kindMissing", "There is no such kind.", { request: "get" });

/** A runtime in which the object is read in the versions that are served; without a definition there are none. */
const runtime = (served: readonly string[] | undefined) => ({
  object: async ({ apiVersion }: { readonly apiVersion: string }) => {
    if (served?.includes(apiVersion.split("/")[1] ?? "") !== true) throw unknown;
    return live(apiVersion);
  },
  objects: async ({ kind }: { readonly kind: string }) => {
    assert.equal(kind, DEFINITIONS.kind);
    return served === undefined
      ? []
      : [
          parseObject(
            RuntimeObject,
            {
              ...DEFINITIONS,
              metadata: { name: "things.example.org", uid: "u", resourceVersion: "1" },
              spec: {
                group: "example.org",
                names: { kind: "Thing" },
                versions: ["v1", "v2"].map((name) => ({ name, served: served.includes(name) })),
              },
            },
            "rt",
          ),
        ];
  },
});
const versionOf = async (served: readonly string[] | undefined) =>
  (await foundObjects([entry], runtime(served)))[0]?.live?.apiVersion;

describe("an object of a record", () => {
  it("is read in the version that was recorded", async () =>
    assert.equal(await versionOf(["v1", "v2"]), "example.org/v1"));
  it("is read in another one, where that is not served any more", async () =>
    assert.equal(await versionOf(["v2"]), "example.org/v2"));
  it("is gone with its definition", async () => assert.equal(await versionOf(undefined), undefined));
  it("of the server's own kinds is read in the version that came after", async () => {
    const [found] = await foundObjects([{ ...entry, group: "autoscaling", version: "v2beta2" }], {
      ...runtime(undefined),
      object: async ({ apiVersion }) => {
        if (apiVersion !== "autoscaling/v2") throw unknown;
        return live(apiVersion);
      },
    });
    assert.equal(found?.live?.apiVersion, "autoscaling/v2");
  });
  it("is not known to be gone where no version is served", () =>
    assert.rejects(versionOf([]), { kind: "unavailable", message: /no version of it is served/ }));
  it("never was there under a name that no server takes", async () => {
    const asked = {
      object: () => assert.fail("it is asked for"),
      objects: () => assert.fail("so is its kind"),
    };
    for (const name of ["%NAME%", "a/b", "..", "."])
      assert.equal((await foundObjects([{ ...entry, name }], asked))[0]?.live, undefined);
  });
});
