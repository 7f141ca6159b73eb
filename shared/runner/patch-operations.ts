import type { ObjectPatch } from "../function/effects.ts";
import type { Kind } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { valueAt } from "../kube/paths.ts";

/** A step of a JSON patch. */
export interface Operation {
  readonly op: "add" | "remove";
  readonly path: string;
  readonly value?: unknown;
}
const pointer = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The RFC 6902 operations that bring about a change; none where it is already so. */
export function patchOperations(kind: Kind, live: KubeObject, change: ObjectPatch): Operation[] {
  const operations: Operation[] = [];
  for (const field of ["labels", "annotations"] as const) {
    const wanted = change[field];
    if (wanted === undefined) continue;
    const now = live.metadata[field];
    const entries = Object.entries(wanted).filter(([name, value]) => (now?.[name] ?? null) !== value);
    if (now === undefined && entries.some(([, value]) => value !== null))
      operations.push({ op: "add", path: `/metadata/${field}`, value: {} });
    for (const [name, value] of entries)
      operations.push(
        value === null
          ? { op: "remove", path: pointer(["metadata", field, name]) }
          : { op: "add", path: pointer(["metadata", field, name]), value },
      );
  }
  const { addOwner } = change;
  const owners = live.metadata.ownerReferences ?? [];
  if (addOwner !== undefined && !owners.some(({ uid }) => uid === addOwner.uid))
    operations.push({ op: "add", path: "/metadata/ownerReferences", value: [...owners, addOwner] });
  for (const [name, value] of Object.entries(change.engine ?? {})) {
    const path = kind.engineOwned[name];
    if (path === undefined) throw new TypeError(`${kind.id} declares no engine-owned path ${name}.`);
    const now = valueAt(live, path);
    if (value === null ? now === undefined : JSON.stringify(now) === JSON.stringify(value)) continue;
    if (value === null) {
      operations.push({ op: "remove", path: pointer(path) });
      continue;
    }
    // JSON Patch adds nothing below what is not there.
    for (let depth = 1; depth < path.length; depth += 1) {
      const parent = path.slice(0, depth);
      const isMade = operations.some((one) => one.path === pointer(parent));
      if (valueAt(live, parent) === undefined && !isMade)
        operations.push({ op: "add", path: pointer(parent), value: {} });
    }
    operations.push({ op: "add", path: pointer(path), value });
  }
  return operations;
}

/** Refused as stale where the object was re-created or changed since it was read. */
export const testsOf = ({
  metadata,
}: KubeObject): readonly { readonly op: "test"; readonly path: string; readonly value: unknown }[] => [
  { op: "test", path: "/metadata/uid", value: metadata.uid },
  { op: "test", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
];
