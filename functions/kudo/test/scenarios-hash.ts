import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import { Pod, StatefulSet } from "../../../shared/kube/kinds/index.ts";
import { DEPENDENCIES_HASH_ANNOTATION } from "../decide/decorate/index.ts";
import { DATABASE, plan } from "./operators.ts";
import { SHOP, type Shop } from "./shop.ts";

const VERSION = { operatorVersion: { name: "pgmini-14.2-0.3.0" } };
const CONFIG = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-config
data:
  color: "{{ .Params.COLOR }}"
`;

const hashOf = async (s: Shop): Promise<unknown> => {
  const template = fieldOf((await s.find(StatefulSet, "db"))?.spec, "template");
  return fieldOf(fieldOf(fieldOf(template, "metadata"), "annotations"), DEPENDENCIES_HASH_ANNOTATION);
};
const podsOf = async (s: Shop): Promise<readonly string[]> =>
  (await s.list(Pod, SHOP)).map(({ metadata }) => metadata.uid).toSorted();
const ends = async (s: Shop, name: string): Promise<void> => {
  await s.settled();
  await s.until(`${name} to be complete`, async () => (await s.plan(name))?.status === "COMPLETE");
};

/** Hashes of what pods see: which edits restart them. */
export const hashes: readonly Scenario<Shop>[] = [
  {
    number: 29,
    name: "pods are restarted by other data when their workload is next applied, and by nothing else",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, {
        ...DATABASE,
        parameters: [
          { name: "SIZE", default: "1", trigger: "scale" },
          { name: "COLOR", default: "red", trigger: "paint" },
        ],
        templates: { ...DATABASE.templates, "config.yaml": CONFIG },
        plans: {
          deploy: plan("config: config", "nodes: nodes"),
          scale: plan("nodes: nodes"),
          paint: plan("config: config"),
        },
      });
      await s.create(VERSION);
      await ends(s, "deploy");
      const [hash, pods] = [await hashOf(s), await podsOf(s)];
      assert.match(String(hash), /^[0-9a-f]{64}$/);
      assert.equal(pods.length, 1);

      await s.edit({ parameters: { SIZE: "2" } });
      await ends(s, "scale");
      assert.equal(await hashOf(s), hash);
      const scaled = await podsOf(s);
      assert.equal(scaled.length, 2);
      assert.ok(
        pods.every((uid) => scaled.includes(uid)),
        "the first pod stays",
      );

      await s.edit({ parameters: { COLOR: "blue" } });
      await ends(s, "paint");
      assert.equal(await hashOf(s), hash);
      assert.deepEqual(await podsOf(s), scaled);

      await s.edit({ parameters: { SIZE: "1" } });
      await s.until("scale to have run again", async () => (await s.instance()).status?.executions === 4);
      await ends(s, "scale");
      assert.notEqual(await hashOf(s), hash);
      await s.until("the pod to be another", async () => {
        const [uid, ...others] = await podsOf(s);
        return others.length === 0 && uid !== undefined && !scaled.includes(uid);
      });
    },
  },
];
