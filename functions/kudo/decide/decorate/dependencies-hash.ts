import { createHash } from "node:crypto";
import { canonical } from "../../../../shared/json/canonical.ts";
import { fieldsOf, textOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { Dependency } from "./dependencies.ts";
import { SKIP_HASH_ANNOTATION } from "./marks.ts";

/**
 * The hash of what the pods of a workload see of ConfigMaps and Secrets. It stands on the pod template, so that other data
 * restarts the pods when the workload is next applied, and nothing else does.
 * @param find the object that this task renders under the name, else the one in the cluster; undefined where there is neither.
 * @returns undefined where the pods see none.
 */
export function dependenciesHash(
  dependencies: readonly Dependency[],
  find: (dependency: Dependency) => KubeObject | undefined,
): string | undefined {
  if (dependencies.length === 0) return undefined;
  const hash = createHash("sha256");
  for (const one of dependencies) hash.update(`${one.kind}/${one.name}\n${dataOf(find(one))}\n`);
  return hash.digest("hex");
}

/** The data in the form that the server stores: what a template writes as `stringData` is the same as what is read later. */
function dataOf(object: KubeObject | undefined): string {
  if (object === undefined || object.metadata.annotations?.[SKIP_HASH_ANNOTATION] !== undefined) return "";
  const { data, binaryData, stringData, kind } = object;
  if (kind !== "Secret") return canonical({ data: fieldsOf(data), binaryData: fieldsOf(binaryData) });
  const encoded = Object.entries(fieldsOf(stringData)).map(([key, text]) => [
    key,
    Buffer.from(textOf(text)).toString("base64"),
  ]);
  return canonical({ data: { ...fieldsOf(data), ...Object.fromEntries(encoded) } });
}
