import assert from "node:assert/strict";
import { request } from "node:https";
import { describe, it, onTestFinished } from "vitest";
import * as z from "zod";
import { answerHere } from "../../infra/cli/dev/admissions.ts";
import { isWebhook, labelledObjects } from "../../infra/cli/install/left-behind.ts";
import { WebhookKeeper } from "../../infra/hosts/webhooks/keeper.ts";
import { EXTENSION_CONFIG, EXTENSION_CONFIGS } from "../../infra/systems/extension-config.ts";
import { admissionGrants, rbacObjects, watcherGrants } from "../../infra/systems/rbac.ts";
import { emptySecret, WEBHOOKS_SECRET } from "../../infra/systems/webhooks.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { defineSystem, hook } from "../../shared/function/index.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { HOME_NAMESPACE } from "../../shared/kube/home.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Secret } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { installExtensionConfigs } from "../engine/extension-config-crd.ts";
import { applyAll, tokenOf } from "./accounts.ts";

const system = defineSystem({
  name: "toys",
  functions: [],
  hooks: [
    hook({
      name: "before-upgrade",
      requestHook: { apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1", hook: "BeforeClusterUpgrade" },
      request: z.looseObject({}),
      response: z.object({ status: z.literal("Success"), retryAfterSeconds: z.int() }),
    }).function({
      storesNothing: "it always waits",
      answer: () => ({ status: "Success", retryAfterSeconds: 10 }),
    }),
  ],
});
interface Registered {
  readonly spec: {
    readonly clientConfig: { readonly caBundle: string; readonly service?: object; readonly url?: string };
    readonly namespaceSelector: object;
  };
}
const EXTENSION = { name: EXTENSION_CONFIG };

for (const kind of ["local", "real"] as const)
  describe(`hooks that Cluster API asks, on the ${kind} API server`, {
    skip: kind === "real" && skipWithoutControlPlane() !== false,
  }, () => {
    it("are registered once its kind is served, by an account that may write the one object alone", async () => {
      const api = await startTestApi({ api: kind, controllers: false });
      onTestFinished(() => api.stop());
      const { client } = api;
      const secret = { namespace: HOME_NAMESPACE, name: WEBHOOKS_SECRET };
      const grants = [...watcherGrants([], undefined), ...admissionGrants([system], undefined)];
      await applyAll(client, rbacObjects(grants) as readonly KubeObject[]);
      await applyAll(client, [emptySecret(secret)] as readonly KubeObject[]);
      // The local one asks nobody for rights.
      const watcher =
        kind === "local"
          ? api.newClient()
          : api.newClient(await tokenOf(client, "reveille", "reveille-watcher"));
      const clock = manualClock(Date.now());
      const keeper = new WebhookKeeper({
        client: watcher,
        systems: [system],
        secret,
        service: { namespace: "reveille", name: "reveille-serve", port: 443 },
        lifetime: 90 * 86_400_000,
        leads: () => true,
        clock,
        log: silent,
      });
      onTestFinished(() => keeper.stop());
      keeper.lead();
      const kept = () =>
        eventually("the certificate is made", async () => {
          const found = (await client.get(resourceOf(Secret), secret))?.data;
          return found as Readonly<Record<string, string>> | undefined;
        });
      await kept();
      await installExtensionConfigs(client);
      const found = await eventually("it is registered", async () => {
        await clock.advance(300_000);
        return (await client.get(EXTENSION_CONFIGS, EXTENSION)) as unknown as Registered | undefined;
      });
      assert.deepEqual(found.spec.namespaceSelector, {});
      assert.deepEqual(found.spec.clientConfig, {
        service: { namespace: "reveille", name: "reveille-serve", port: 443 },
        caBundle: (await kept())["ca.crt"],
      });
      if (kind === "local") return;
      const refused = (write: Promise<unknown>): Promise<void> =>
        assert.rejects(write, (thrown) => thrown instanceof KubeError && thrown.kind === "forbidden");
      const another = {
        apiVersion: "runtime.cluster.x-k8s.io/v1alpha1",
        kind: "ExtensionConfig",
        metadata: { name: "another" },
      };
      const options = { fieldManager: "thief" };
      await refused(
        watcher.apply(EXTENSION_CONFIGS, { name: "another" }, another, { ...options, force: true }),
      );
      await refused(watcher.create(EXTENSION_CONFIGS, another, options));
      await refused(watcher.delete(EXTENSION_CONFIGS, EXTENSION, { uid: undefined }));
    });
  });

it("a process of `dev` registers its hooks by URL, answers by TLS, and takes the registration back", async () => {
  const api = await startTestApi({ api: "local", controllers: false });
  onTestFinished(() => api.stop());
  await installExtensionConfigs(api.client);
  const here = await answerHere({
    client: api.newClient(),
    systems: [system],
    clock: systemClock,
    log: silent,
  });
  const found = (await api.client.get(EXTENSION_CONFIGS, EXTENSION)) as unknown as Registered;
  const { url, caBundle } = found.spec.clientConfig;
  const post = (path: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const asked = request(
        `${url}${path}`,
        { method: "POST", ca: Buffer.from(caBundle, "base64") },
        async (response) => {
          let text = "";
          for await (const part of response) text += part;
          resolve(JSON.parse(text) as Record<string, unknown>);
        },
      );
      asked.on("error", reject);
      asked.end("{}");
    });
  const told = await post("/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery");
  assert.deepEqual(
    (told.handlers as readonly { readonly name: string }[]).map(({ name }) => name),
    ["before-upgrade"],
  );
  assert.deepEqual(
    await post("/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterupgrade/before-upgrade?timeout=10s"),
    {
      apiVersion: "hooks.runtime.cluster.x-k8s.io/v1alpha1",
      kind: "BeforeClusterUpgradeResponse",
      status: "Success",
      retryAfterSeconds: 10,
    },
  );
  assert.deepEqual(
    (await labelledObjects(api.client)).filter(isWebhook).map(({ object }) => object.metadata.name),
    [EXTENSION_CONFIG],
  );
  await here.stop();
  assert.equal(await api.client.get(EXTENSION_CONFIGS, EXTENSION), undefined);
});
