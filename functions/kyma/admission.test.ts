import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { installKinds } from "../../infra/testing/install-crds.ts";
import { admissionsOf } from "../../infra/testing/system/index.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../shared/kube/kind.ts";
import { apiVersionOf } from "../../shared/kube/object.ts";
import { kyma } from "./index.ts";
import { ModuleReleaseMeta, ModuleTemplate } from "./kinds/index.ts";

const BY = { fieldManager: "team", force: true } as const;
const CIRCLE = /On the channel regular modules require each other: alpha → beta → alpha/;

describe("the admissions of a catalog, asked by an API server", () => {
  let api: TestApi;
  let asked: Awaited<ReturnType<typeof admissionsOf>>;

  const put = (kind: Kind, name: string, spec: object) =>
    api.client.apply(
      resourceOf(kind),
      { name, namespace: "default" },
      { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace: "default" }, spec },
      BY,
    );
  const publish = (module: string, version: string, ...requires: readonly object[]) =>
    put(ModuleTemplate, `${module}-${version}`, { moduleName: module, version, descriptor: {}, requires });
  const release = (module: string, version: string) =>
    put(ModuleReleaseMeta, module, {
      moduleName: module,
      ocmComponentName: `acme.com/mods/${module}`,
      channels: [{ channel: "regular", version }],
    });
  const refusal = async (write: Promise<unknown>): Promise<string> => {
    const thrown = await write.then(
      () => undefined,
      (error: unknown) => error,
    );
    return thrown instanceof KubeError ? thrown.message : "";
  };

  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers: false });
    await installKinds(api.client, [ModuleReleaseMeta, ModuleTemplate]);
    asked = await admissionsOf({ api }, kyma);
    await eventually("the server to ask", async () =>
      /requires itself/.test(await refusal(publish("probe", "1.0.0", { module: "probe" }))),
    );
  });
  afterAll(async () => {
    await asked.stop();
    await api.stop();
  });

  it("refuse the version and the move of a channel that close a circle, with the way round (DEP6)", async () => {
    await publish("alpha", "1.0.0", { module: "beta" });
    await release("alpha", "1.0.0");
    await release("beta", "1.0.0");
    assert.match(await refusal(publish("beta", "1.0.0", { module: "alpha" })), CIRCLE);
    assert.equal(
      await api.client.get(resourceOf(ModuleTemplate), { name: "beta-1.0.0", namespace: "default" }),
      undefined,
    );
    // A version that no channel names is none's affair, until one moves to it.
    await publish("beta", "1.1.0", { module: "alpha" });
    assert.match(await refusal(release("beta", "1.1.0")), CIRCLE);
    await publish("beta", "1.1.0", { module: "alpha", optional: true });
    await release("beta", "1.1.0");
  });
});
