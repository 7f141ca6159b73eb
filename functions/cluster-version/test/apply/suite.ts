import assert from "node:assert/strict";
import fc from "fast-check";
import "../../../../infra/testing/seeded-properties.ts";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { ApiServer, ApiServerKind } from "../../../../infra/testing/api-servers.ts";
import { eventually } from "../../../../infra/testing/eventually.ts";
import { fieldOf, fieldsOf, textOf } from "../../../../shared/json/fields.ts";
import type { KubeClient } from "../../../../shared/kube/client.ts";
import { createKubeClient } from "../../../../shared/kube/http-client.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { healthOf } from "../../decide/apply/health.ts";
import { change, changed } from "./changes.ts";
import { applier, context } from "./cluster.ts";
import { widgets } from "./definitions.ts";
import { edits } from "./edits.ts";
import * as samples from "./manifests.ts";

const servedBy = ({ spec }: KubeObject): readonly [string, string] => {
  const { group, names } = fieldsOf(spec);
  return [`${textOf(group)}/v1`, textOf(fieldOf(names, "kind"))];
};
/** An object without what each write moves. */
function essence(object: KubeObject | undefined): unknown {
  if (object === undefined) return undefined;
  const {
    resourceVersion: _version,
    generation: _generation,
    managedFields: _managed,
    ...metadata
  } = object.metadata;
  const { status: _status, ...fields } = object;
  // The server counts a daemon set's templates.
  const { "deprecated.daemonset.template.generation": _count, ...annotations } = metadata.annotations ?? {};
  return { ...fields, metadata: { ...metadata, annotations } };
}

const titleOf = ({ kind, metadata }: { kind: string; metadata: { name: string } }): string =>
  `${kind} ${metadata.name}`;

/** The answers of every API server to the apply rules; `without` names kinds that it does not serve. */
export function applySuite(server: ApiServerKind, { without = [] as readonly string[] } = {}): void {
  const serves = ({ kind }: KubeObject): boolean => !without.includes(kind);
  describe(`the manifests of a payload on the ${server.name} API`, { skip: server.skip !== false }, () => {
    let api: ApiServer;
    let client: KubeClient;
    let cluster: ReturnType<typeof applier>;

    beforeAll(async () => {
      api = await server.start();
      client = createKubeClient({ connection: api.connection });
      cluster = applier(client);
    });
    afterAll(async () => {
      client.close();
      await api.stop();
    });

    test("each is created, and applied again in any mode writes nothing", async () => {
      const again: string[] = [];
      for (const manifest of samples.manifests.filter(serves)) {
        const first = await cluster.apply(manifest);
        assert.equal(first.write.write, "create", titleOf(manifest));
        if (manifest.kind === "CustomResourceDefinition") await cluster.served(...servedBy(manifest));
        for (const mode of ["Initializing", "Updating", "Reconciling"] as const) {
          const { write } = await cluster.apply(manifest, { ...context, mode });
          if (write.write === "replace") again.push(`${titleOf(manifest)} ${mode}: ${write.differs.join()}`);
          else assert.equal(write.write, "none", titleOf(manifest));
        }
      }
      // What a schema fills in is not known while updating: the server is asked once more, and nothing changes.
      const [widget, ...none] = again;
      assert.match(widget ?? "", /^Widget demo Updating: spec/);
      assert.deepEqual(none, []);
      const before = await cluster.read(samples.widget);
      const { object } = await cluster.apply(samples.widget, { ...context, mode: "Updating" });
      assert.equal(object?.metadata.resourceVersion, before?.metadata.resourceVersion);
      // An edit in the second of an object's creation counts as part of it.
      const made = Date.now();
      await eventually("that second is over", () => Date.now() >= made + 1_000);
    });

    for (const { title, manifest, change, outcome } of edits.filter((edit) => serves(edit.manifest)))
      test(`${titleOf(manifest)}, ${title}: ${outcome}`, async () => {
        const { object: before } = await cluster.apply(manifest);
        await cluster.edit(manifest, change);
        const edited = await cluster.read(manifest);
        assert.notDeepEqual(essence(edited), essence(before), "the edit must change something");
        const { write, object } = await cluster.apply(manifest);
        assert.equal(write.write, outcome === "kept" ? "none" : "replace");
        assert.deepEqual(essence(object), essence(outcome === "kept" ? edited : before));
        const again = await cluster.apply(manifest);
        assert.equal(again.write.write, "none", "differs" in again.write ? again.write.differs.join() : "");
      });

    test("whatever of a workload somebody changes, one write heals it", async () => {
      const accepted: string[] = [];
      for (const manifest of [samples.deployment, samples.cronJob, samples.service, samples.widget])
        await fc.assert(
          fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
            await cluster.apply(manifest);
            const live = await cluster.read(manifest);
            assert.ok(live !== undefined);
            const spec: unknown = JSON.parse(JSON.stringify(changes.reduce<unknown>(changed, live.spec)));
            if (!(await cluster.tryReplace({ ...live, spec }))) return;
            accepted.push(titleOf(manifest));
            await cluster.apply(manifest);
            const { write } = await cluster.apply(manifest);
            assert.equal(write.write, "none", "differs" in write ? write.differs.join() : "");
          }),
          { numRuns: 25 },
        );
      assert.ok(new Set(accepted).size === 4, `changes that the server took: ${accepted.length}`);
    });

    test("while updating, what only the release before had goes", async () => {
      const spec = { free: { old: 1 }, parts: [{ name: "a" }] };
      const before = { ...samples.widget, metadata: { ...samples.widget.metadata, name: "moved" }, spec };
      await cluster.apply(before);
      const after = { ...before, spec: { parts: [{ name: "a" }] } };
      assert.equal((await cluster.apply(after)).write.write, "none");
      const { object } = await cluster.apply(after, { ...context, mode: "Updating" });
      assert.deepEqual(object?.spec, {
        mode: "",
        parts: [{ name: "a", weight: 1 }],
        properties: {},
        required: false,
        size: 3,
      });
    });

    test("an object that somebody else had made is taken over with one write", async () => {
      for (const manifest of [samples.deployment, samples.widget, samples.role]) {
        const named: KubeObject = { ...manifest, metadata: { ...manifest.metadata, name: "made-by-others" } };
        const { metadata, status: _status, ...body } = named;
        const { name, namespace } = metadata;
        await client.create(
          await cluster.resourceOf(named),
          { ...body, metadata: { name, namespace } },
          { fieldManager: "kubectl-create" },
        );
        assert.equal((await cluster.apply(named)).write.write, "replace");
        const { write } = await cluster.apply(named);
        assert.equal(write.write, "none", "differs" in write ? write.differs.join() : "");
      }
    });

    test("a label that drifts does not roll pods out", async () => {
      const before = await cluster.read(samples.recreated);
      await cluster.edit(samples.recreated, { metadata: { labels: { "app.example.org/part-of": "mine" } } });
      const { write, object } = await cluster.apply(samples.recreated);
      assert.equal(write.write, "replace");
      assert.equal(object?.metadata.generation, before?.metadata.generation);
    });

    test("a definition is healthy once it is established", async () => {
      const live = await eventually("it is established", async () => {
        const object = await cluster.read(widgets);
        return object !== undefined && healthOf(object, "Updating").health === "good" && object;
      });
      assert.equal(live.metadata.name, widgets.metadata.name);
    });
  });
}
