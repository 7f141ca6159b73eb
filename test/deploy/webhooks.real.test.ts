import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { WebhookKeeper } from "../../infra/hosts/webhooks/keeper.ts";
import { admissionGrants, rbacObjects, watcherGrants } from "../../infra/systems/rbac.ts";
import {
  configurationResource,
  emptyConfigurations,
  emptySecret,
  WEBHOOKS_SECRET,
} from "../../infra/systems/webhooks.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { Toy, Workshop } from "../../infra/testing/toy-system.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { admission, allow, defineSystem } from "../../shared/function/index.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { HOME_NAMESPACE } from "../../shared/kube/home.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Secret } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { applyAll, tokenOf } from "./accounts.ts";

const system = defineSystem({
  name: "toys",
  functions: [],
  admissions: [
    admission("toy-check", Toy, ["create"]).function({ reads: [Workshop], admit: () => allow() }),
    admission("toy-onlooker", Toy, ["delete"]).function({
      webhook: { type: "Validating" },
      admit: () => allow(),
    }),
  ],
});

describe("the webhooks of a cluster", { skip: skipWithoutControlPlane() !== false }, () => {
  it("are registered by the watcher's own account, which may do that and no more", async () => {
    const api = await startTestApi({ api: "real", controllers: false });
    onTestFinished(() => api.stop());
    const { client } = api;
    const grants = [...watcherGrants([], undefined), ...admissionGrants([system], undefined)];
    const secret = { namespace: HOME_NAMESPACE, name: WEBHOOKS_SECRET };
    const empty = emptyConfigurations([system]);
    await applyAll(client, rbacObjects(grants) as readonly KubeObject[]);
    await applyAll(client, [...empty, emptySecret(secret)] as readonly KubeObject[]);
    const watcher = api.newClient(await tokenOf(client, "reveille", "reveille-watcher"));
    const keeper = new WebhookKeeper({
      client: watcher,
      systems: [system],
      secret,
      service: { namespace: "reveille", name: "reveille-serve", port: 443 },
      lifetime: 86_400_000,
      leads: () => true,
      clock: systemClock,
      log: silent,
    });
    onTestFinished(() => keeper.stop());
    keeper.lead();
    for (const one of empty) {
      const at = { name: one.metadata.name };
      const webhooks = await eventually(`${one.kind} is registered`, async () => {
        const found = await client.get(configurationResource(one), at);
        return found?.webhooks as
          | readonly { readonly clientConfig: { readonly caBundle: string } }[]
          | undefined;
      });
      const kept = (await client.get(resourceOf(Secret), secret))?.data as Readonly<Record<string, string>>;
      assert.deepEqual(
        webhooks.map(({ clientConfig }) => clientConfig.caBundle),
        [kept["ca.crt"]],
      );
      assert.ok(kept["tls.crt"] !== undefined && kept["tls.key"] !== undefined);
    }
    const refused = async (write: Promise<unknown>): Promise<void> => {
      const thrown = await write.then(
        () => assert.fail("it may"),
        (error: unknown) => error,
      );
      assert.ok(thrown instanceof KubeError && thrown.kind === "forbidden", String(thrown));
    };
    const options = { fieldManager: "thief", force: true };
    for (const one of empty) {
      const name = "another";
      const object = { ...one, metadata: { name } };
      await refused(watcher.apply(configurationResource(one), { name }, object, options));
      await refused(
        watcher.delete(configurationResource(one), { name: one.metadata.name }, { uid: undefined }),
      );
    }
    await refused(watcher.get(resourceOf(Secret), { namespace: HOME_NAMESPACE, name: "other" }));
    await refused(watcher.list(resourceOf(Secret), { namespace: HOME_NAMESPACE }));
  });
});
