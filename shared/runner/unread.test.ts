import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { JAR, Jar } from "../../infra/testing/jar.ts";
import { itemOf, leaseOf, runnerOf } from "../../infra/testing/one-run.ts";
import { each, own } from "../function/index.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { ConfigMap } from "../kube/kinds/config-map.ts";
import type { KubeObject } from "../kube/object.ts";

const OWNER = { apiVersion: JAR.apiVersion, kind: "Jar", controller: true };
const mapOf = (text: string, owner: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    ...{ name: "m", namespace: "a", uid: "m", resourceVersion: "7" },
    ownerReferences: [{ ...OWNER, name: owner, uid: owner === "j" ? "u" : owner }],
  },
  data: { text },
});

/**
 * The requests of an apply that reads nothing first, to a server with this object, and how it ends.
 * @param listed whether its function lists what it owns before
 */
async function applied(live: KubeObject | undefined, listed = false) {
  const asked: string[] = [];
  let stands = live;
  let end: unknown;
  const client: Partial<KubeClient> = {
    get: async (_, { name }) => {
      if (name === "j") return JAR;
      asked.push("get");
      return stands;
    },
    apply: async (_, __, body) => {
      const { resourceVersion } = body.metadata;
      asked.push(`apply at ${resourceVersion}`);
      if (stands !== undefined && resourceVersion !== stands.metadata.resourceVersion)
        throw new KubeError("stale", "another version", { request: "apply" });
      stands = { ...body, metadata: { ...body.metadata, uid: "m", resourceVersion: "8" } };
      return stands;
    },
    create: async () => JAR,
    pages: async function* () {
      yield { items: [], metadata: { resourceVersion: "7" } };
    },
  };
  const keeper = each(Jar).function({
    name: "keeper",
    owns: [ConfigMap],
    observe: async ({ self, read }) => ({
      owned: listed ? await read.list(ConfigMap, { ownedBy: self }) : undefined,
    }),
    reconcile: ({ self }) => {
      const effects = own(
        self,
        ConfigMap,
        { metadata: { name: "m" }, data: { text: "wanted" } },
        { force: true, unread: true },
      );
      return {
        effects,
        conclude: (results) => {
          const result = results(effects);
          end = result.state === "failed" ? result.error.code : result.state;
          return {};
        },
      };
    },
  });
  await runnerOf(keeper, client)(leaseOf(itemOf("keeper", "c/unit.example.org/Jar/a/j")));
  return {
    asked,
    end,
    text: (stands as { readonly data?: { readonly text?: string } } | undefined)?.data?.text,
  };
}

describe("an apply of what is probably absent", () => {
  it("reads nothing where that is so", async () => {
    assert.deepEqual(await applied(undefined), { asked: ["apply at 1"], end: "done", text: "wanted" });
  });

  it("reads what is there after all, and goes over that", async () => {
    assert.deepEqual(await applied(mapOf("before", "j")), {
      asked: ["apply at 1", "get", "apply at 7"],
      end: "done",
      text: "wanted",
    });
  });

  it("reads it too where a list of what is owned lacked it", async () => {
    assert.deepEqual(await applied(mapOf("before", "j"), true), {
      asked: ["apply at 1", "get", "apply at 7"],
      end: "done",
      text: "wanted",
    });
  });

  it("takes nothing from another", async () => {
    assert.deepEqual(await applied(mapOf("theirs", "another")), {
      asked: ["apply at 1", "get"],
      end: "OWNED_BY_ANOTHER",
      text: "theirs",
    });
  });
});
