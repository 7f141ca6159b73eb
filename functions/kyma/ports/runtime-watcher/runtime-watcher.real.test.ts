import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { skipWithoutControlPlane } from "../../../../infra/testing/control-plane.ts";
import { eventually } from "../../../../infra/testing/eventually.ts";
import { untilServed } from "../../../../infra/testing/install-crds.ts";
import { ensureNamespace } from "../../../../infra/testing/system/index.ts";
import { startTestApi } from "../../../../infra/testing/test-api.ts";
import { WEBHOOK_REGISTRATIONS } from "../../../../infra/testing/webhook-registrations.ts";
import { systemClock } from "../../../../shared/clock/clock.ts";
import { crdOf } from "../../../../shared/kube/crd.ts";
import { resourceOf } from "../../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../../shared/kube/kinds/index.ts";
import { silent } from "../../../../shared/log/log.ts";
import { createAuthority } from "../../../../shared/tls/index.ts";
import { installed } from "../../decide/webhook/index.ts";
import { Kyma, LABELS, ModuleTemplate, RUNTIME_NAMESPACE } from "../../kinds/index.ts";
import { playedHome } from "../../test/home.ts";
import { startRuntimeWatcher } from "./adapters/index.ts";

const USER = { fieldManager: "user" } as const;
const KYMA = resourceOf(Kyma);
const TEMPLATE = resourceOf(ModuleTemplate);
const MANAGED = { [LABELS.managedBy]: "kyma" };
const PLACE = { name: "default", namespace: RUNTIME_NAMESPACE };

it.skipIf(skipWithoutControlPlane())(
  "a real API server asks the real program by what is installed, and the control plane hears of users' changes alone",
  async (t) => {
    const api = await startTestApi({ api: "real" });
    t.onTestFinished(() => api.stop());
    const { client } = api;
    const folder = mkdtempSync(join(tmpdir(), "reveille-runtime-"));
    t.onTestFinished(() => rmSync(folder, { recursive: true }));
    const authority = createAuthority();
    const home = await playedHome(authority);
    t.onTestFinished(() => home.stop());
    const pair = authority.issue({ commonName: "rt-1", serverNames: ["127.0.0.1"], client: true });
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const program = await startRuntimeWatcher({
      port: 0,
      host: "127.0.0.1",
      files: {
        certificate: file("tls.crt", pair.certificate),
        key: file("tls.key", pair.key),
        authorities: file("ca.crt", authority.certificate),
      },
      controlPlane: home.address,
      manager: "lifecycle-manager",
      folder: join(folder, "queue"),
      beat: 3_600_000,
      clock: systemClock,
      log: silent,
    });
    t.onTestFinished(() => program.stop());

    await ensureNamespace(client, RUNTIME_NAMESPACE);
    for (const kind of [Kyma, ModuleTemplate]) {
      const crd = crdOf(kind);
      await client.apply(
        resourceOf(CustomResourceDefinition),
        crd.metadata,
        { ...crd, metadata: { ...crd.metadata, labels: MANAGED } },
        { ...USER, force: true },
      );
      await untilServed(client, resourceOf(kind));
    }
    const { registration } = installed({
      image: "none",
      controlPlane: "none.invalid",
      beatSeconds: 60,
      authorities: authority.certificate,
      certificate: { ...pair, version: "1" },
      watchers: [
        {
          name: "kymas",
          namespace: "kcp-system",
          manager: "lifecycle-manager",
          resource: { group: KYMA.group, version: "*", resource: "kymas" },
          labels: { "operator.kyma-project.io/watched-by": "kyma" },
          field: "spec",
        },
      ],
    });
    const webhooks = registration.webhooks as readonly {
      readonly clientConfig: { readonly caBundle: string };
    }[];
    // Nothing here has the name of a Service: everything else is as it is installed.
    const url = `https://127.0.0.1:${program.port}/validate/lifecycle-manager`;
    await client.apply(
      WEBHOOK_REGISTRATIONS,
      registration.metadata,
      {
        ...registration,
        webhooks: webhooks.map((one) => ({
          ...one,
          clientConfig: { caBundle: one.clientConfig.caBundle, url },
        })),
      },
      USER,
    );

    const told = (): number => home.names().filter((name) => name === PLACE.name).length;
    const labels = { "operator.kyma-project.io/watched-by": "kyma" };
    const kyma = (channel: string, more: object = {}) => ({
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Kyma",
      metadata: { ...PLACE, labels },
      spec: { channel },
      ...more,
    });
    // The API server hears of a new registration a little later.
    await eventually("it asks", async () => {
      await client.apply(
        KYMA,
        { ...PLACE, name: "early" },
        { ...kyma("early"), metadata: { ...PLACE, name: "early", labels } },
        {
          ...USER,
          dryRun: true,
        },
      );
      return program.counts().asked > 0;
    });
    assert.deepEqual(
      home.names().filter((name) => name !== ""),
      [],
      "nothing was stored",
    );

    await client.apply(KYMA, PLACE, kyma("regular"), USER);
    await eventually("its creation is told, and once more", async () => told() >= 2);
    await eventually("all is told", async () => program.counts().waiting === 0);
    const created = told();
    // A delivery that begins late stands for those that were due by then.
    assert.ok(created === 2 || created === 3, `told ${created} times`);
    const asked = program.counts().asked;
    await client.patch(
      KYMA,
      PLACE,
      "merge",
      { status: { state: "Ready" } },
      { ...USER, subresource: "status" },
    );
    await client.patch(KYMA, PLACE, "merge", { metadata: { labels: { a: "b" } } }, USER);
    assert.ok(program.counts().asked > asked, "labels are asked about");
    assert.deepEqual([program.counts().waiting, told()], [0, created], "and are no news");
    await client.patch(KYMA, PLACE, "merge", { spec: { channel: "fast" } }, USER);
    await eventually("the user's change is told", async () => told() > created);
    assert.deepEqual([...new Set(home.names().filter((name) => name !== ""))], [PLACE.name]);

    const template = { name: "alpha-1.0.0", namespace: RUNTIME_NAMESPACE };
    const copy = {
      apiVersion: `${TEMPLATE.group}/${TEMPLATE.version}`,
      kind: TEMPLATE.kind,
      metadata: { ...template, labels: MANAGED },
      spec: { moduleName: "alpha", version: "1.0.0", descriptor: {} },
    };
    const times = (name: string): number => home.names().filter((one) => one === name).length;
    const before = program.counts().asked;
    await client.apply(TEMPLATE, template, copy, { fieldManager: "reveille-kyma-catalogs" });
    assert.ok(program.counts().asked > before, "copies are asked about");
    await client.patch(TEMPLATE, template, "merge", { spec: { version: "9.9.9" } }, USER);
    await eventually("the edit is told", async () => times(template.name) > 0);
    await eventually("all is told", async () => program.counts().waiting === 0);
    assert.equal(times(template.name), 3, "the edit alone");
    const definition = crdOf(ModuleTemplate).metadata.name;
    await client.delete(resourceOf(CustomResourceDefinition), { name: definition }, { uid: undefined });
    await eventually("its deletion is told", async () => times(definition) > 0);

    await program.stop();
    await client.patch(KYMA, PLACE, "merge", { spec: { channel: "slow" } }, USER);
    const stored = await client.get(KYMA, PLACE);
    assert.deepEqual(stored?.spec, { channel: "slow" }, "a program that is down stands in nobody's way");
  },
);
