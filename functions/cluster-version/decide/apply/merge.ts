import { differences } from "../../../../shared/json/differences.ts";
import { type Fields, fieldsOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { isCreateOnly } from "./annotations.ts";
import { asWritten } from "./as-written.ts";
import { deleteMark } from "./deletion.ts";
import { ruleOf } from "./kinds/index.ts";
import { comparable, mergedMetadata, newMetadata } from "./metadata.ts";
import { withProxy } from "./proxy.ts";
import type { ApplyContext, Write } from "./verdict.ts";

function bodyOf({
  apiVersion: _version,
  kind: _kind,
  metadata: _metadata,
  status: _status,
  ...body
}: KubeObject): Fields {
  return body;
}

/**
 * The one write that makes an object what its manifest says, or none. `live` is a fresh read at the manifest's apiVersion with its
 * managedFields, undefined where it is absent. A status is never written. A manifest that is marked for deletion is refused here: see
 * `deletionOf`.
 */
export function merge(manifest: KubeObject, live: KubeObject | undefined, context: ApplyContext): Write {
  const mark = deleteMark(manifest);
  if (mark !== undefined)
    return {
      write: "refused",
      fault: mark.marked
        ? { message: "The manifest is marked for deletion and is never applied." }
        : mark.fault,
    };
  const rule = ruleOf(manifest);
  const fault = rule.refuse?.(manifest);
  if (fault !== undefined) return { write: "refused", fault };
  const told = withProxy(manifest, context.proxy);
  if ("fault" in told) return { write: "refused", fault: told.fault };
  const { apiVersion, kind } = manifest;
  const sent = rule.sent?.(bodyOf(told.manifest)) ?? bodyOf(told.manifest);
  if (live === undefined)
    return {
      write: "create",
      body: { apiVersion, kind, metadata: newMetadata(manifest, context), ...sent },
    };
  if (isCreateOnly(manifest)) return { write: "none", because: "create-only" };
  if (rule.leaves?.(context) === true) return { write: "none", because: "not ours" };

  const there = { raw: bodyOf(live), complete: rule.complete(bodyOf(live)) };
  const wanted = { raw: sent, complete: rule.complete(sent) };
  const shall = rule.shall(wanted.complete, there.complete, { manifest, live, context });
  const metadata = mergedMetadata(manifest, live, context, rule.others);
  const differs = differences(
    { metadata: comparable(metadata), ...shall },
    { metadata: comparable(live.metadata), ...there.complete },
  );
  if (differs.length === 0) return { write: "none", because: "same" };
  const status = live.status === undefined ? {} : { status: live.status };
  const body = fieldsOf(asWritten(shall, there, wanted));
  return {
    write: "replace",
    body: { apiVersion: live.apiVersion, kind, metadata, ...body, ...status },
    differs,
  };
}
