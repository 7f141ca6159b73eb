import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fieldOf, fieldsOf, textOf } from "../../../functions/cluster-version/apply/json.ts";
import type { ApiServer, ApiServerKind } from "../../../infra/testing/api-servers.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { applier, context } from "./cluster.ts";
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

/** What every API server must say to the apply rules; `without` names kinds that it does not serve. */
export function applySuite(server: ApiServerKind, { without = [] as readonly string[] } = {}): void {
  const serves = ({ kind }: KubeObject): boolean => !without.includes(kind);
  describe(`the manifests of a payload on the ${server.name} API`, { skip: server.skip }, () => {
    let api: ApiServer;
    let client: KubeClient;
    let cluster: ReturnType<typeof applier>;

    before(async () => {
      api = await server.start();
      client = createKubeClient({ connection: api.connection });
      cluster = applier(client);
    });
    after(async () => {
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
  });
}
