import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import type { Kind } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { crdsOf, EDGES, folder, kinds, objectOf, objectsIn, resourceOf } from "./conformance.ts";

const USER = { fieldManager: "user", dryRun: true } as const;

/** Whether an API server takes the same objects under our CRDs as under those of SonataFlow's own repository. */
export function conformanceSuite(api: "local" | "real"): void {
  const noServer = api === "real" ? skipWithoutControlPlane() : false;
  const skip = folder === undefined ? "CONFORMANCE_DATA is not set" : noServer;
  describe(`SonataFlow's objects on the ${api} API`, { skip: skip !== false }, () => {
    const from = folder ?? "";
    const answers: Record<"ours" | "theirs", Map<string, string>> = { ours: new Map(), theirs: new Map() };
    const all =
      folder === undefined
        ? []
        : [
            ...objectsIn(from).map(({ file, kind, object }) => ({ name: file, kind, object, valid: true })),
            ...EDGES.map(({ name, kind, spec }) => ({
              name: `${kind.kind} with ${name}`,
              kind,
              object: objectOf(kind, spec),
              valid: undefined,
            })),
          ];
    beforeAll(async () => {
      for (const whose of ["theirs", "ours"] as const) {
        const server = await startTestApi({ api, controllers: false });
        try {
          for (const kind of kinds) await install(server, crdsOf(kind, from)[whose], kind);
          for (const { name, kind, object } of all)
            answers[whose].set(name, await answerOf(server, kind, object));
        } finally {
          await server.stop();
        }
      }
    });
    afterAll(() => assert.equal(answers.ours.size, all.length));
    for (const { name, valid } of all)
      test(name, () => {
        const [ours, theirs] = [answers.ours.get(name), answers.theirs.get(name)];
        if (valid === true) assert.equal(ours, "taken");
        assert.equal(ours === "taken", theirs === "taken", `ours: ${ours}; theirs: ${theirs}`);
      });
  });
}

async function install({ client }: TestApi, crd: KubeObject, kind: Kind): Promise<void> {
  await client.create(resourceOf(CustomResourceDefinition), crd, { fieldManager: "user" });
  await eventually(`${kind.kind} to be served`, async () => {
    try {
      await client.list(resourceOf(kind), { limit: 1 });
      return true;
    } catch (error) {
      if (error instanceof KubeError && error.retryable) return false;
      throw error;
    }
  });
}

async function answerOf({ client }: TestApi, kind: Kind, object: KubeObject): Promise<string> {
  const namespace = kind.scope === "Cluster" ? undefined : "default";
  const body = { ...object, metadata: { ...object.metadata, ...(namespace !== undefined && { namespace }) } };
  try {
    await client.create(resourceOf(kind), body, USER);
    return "taken";
  } catch (error) {
    if (error instanceof KubeError && error.kind === "invalid") return error.message;
    throw error;
  }
}
