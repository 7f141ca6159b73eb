import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, onTestFinished } from "vitest";
import { listenForAdmissions } from "../../infra/hosts/admission-listener.ts";
import { WebhookKeeper } from "../../infra/hosts/webhooks/keeper.ts";
import { faces } from "../../infra/local/faces/index.ts";
import { startLocalApi } from "../../infra/local/index.ts";
import { emptyConfigurations, emptySecret, register } from "../../infra/systems/webhooks.ts";
import { connectionTo } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { admission, allow, defineSystem, deny } from "../../shared/function/index.ts";
import { configuredAdmissions } from "../../shared/host/configuration.ts";
import { questionIngress } from "../../shared/host/http/index.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";

const system = defineSystem({
  name: "maps",
  functions: [],
  admissions: [
    admission("map-check", ConfigMap, ["create"]).function({
      admit: ({ object }) => (object.data?.bad === "yes" ? deny("it is bad", 422) : allow()),
    }),
  ],
});
const SECRET = { namespace: "default", name: "reveille-webhooks" };
const SERVICE = { namespace: "default", name: "serve", port: 443 };

it("a Service is asked with the certificate that the watcher made, also after it was renewed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-webhooks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { certificate: join(folder, "tls.crt"), key: join(folder, "tls.key") };
  const listenerClock = manualClock(Date.now());
  let port = 0;
  const server = await startLocalApi({
    faces,
    serviceAt: ({ name }) => (name === "serve" && port > 0 ? { host: "127.0.0.1", port } : undefined),
  });
  onTestFinished(() => server.close());
  const { server: url, token, ca } = server.clientOptions;
  const client = createKubeClient({ connection: connectionTo({ url, token, ca }) });
  onTestFinished(() => client.close());
  const handler = questionIngress({
    admissions: configuredAdmissions([system]),
    client,
    clock: systemClock,
    log: silent,
  });
  const listener = await listenForAdmissions(
    handler,
    { listen: { host: "127.0.0.1", port: 0 }, ...files },
    { clock: listenerClock, log: silent },
  );
  onTestFinished(() => listener.stop(0));
  port = Number(listener.address.split(":").at(-1));
  await register(client, emptyConfigurations([system]));
  await client.create(resourceOf(Secret), emptySecret(SECRET) as KubeObject, { fieldManager: "user" });
  // It made a certificate 70 days ago, so that the one of now is the second.
  const clock = manualClock(Date.now() - 70 * 86_400_000);
  const keeper = new WebhookKeeper({
    client,
    systems: [system],
    secret: SECRET,
    service: SERVICE,
    lifetime: 90 * 86_400_000,
    leads: () => true,
    clock,
    log: silent,
  });
  onTestFinished(() => keeper.stop());
  const dataOf = async (): Promise<Readonly<Record<string, string>>> =>
    ((await client.get(resourceOf(Secret), SECRET))?.data ?? {}) as Readonly<Record<string, string>>;
  /** Writes the Secret's files, as a kubelet does. */
  const mount = async (): Promise<void> => {
    const data = await dataOf();
    writeFileSync(files.certificate, Buffer.from(data["tls.crt"] ?? "", "base64"));
    writeFileSync(files.key, Buffer.from(data["tls.key"] ?? "", "base64"));
    await listenerClock.advance(10_000);
  };
  const make = (name: string, bad: string): Promise<string> =>
    client
      .create(
        resourceOf(ConfigMap),
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { bad } },
        { fieldManager: "user", dryRun: true },
      )
      .then(
        () => "made",
        ({ status }) => String(status?.message),
      );
  const DENIED = 'admission webhook "map-check.maps.reveille.dev" denied the request: it is bad';

  assert.equal(await make("before", "yes"), "made");
  keeper.lead();
  await eventually("nobody answers, so all is refused", async () =>
    (await make("early", "no")).includes("failed calling webhook"),
  );
  await mount();
  assert.equal(await make("bad", "yes"), DENIED);
  assert.equal(await make("good", "no"), "made");
  const first = await dataOf();
  await clock.advance(60 * 86_400_000);
  await eventually("the next certificate is made", async () => (await dataOf())["next.crt"] !== undefined);
  assert.equal(await make("bad", "yes"), DENIED);
  await eventually("both authorities are trusted, then the new certificate is shown", async () => {
    await clock.advance(60_000);
    return (await dataOf())["tls.crt"] !== first["tls.crt"];
  });
  assert.equal(await make("bad", "yes"), DENIED);
  await mount();
  assert.equal(await make("bad", "yes"), DENIED);
});
