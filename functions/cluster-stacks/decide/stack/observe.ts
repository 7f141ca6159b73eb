import type { Obj, SlotPlace } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import type { ClusterStackSpec, ProviderObject } from "../../kinds/index.ts";
import type { Template } from "./pass.ts";
import { templateOf } from "./provider-release.ts";

/** Reads the template that a stack names. */
export async function observeTemplate(
  spec: ClusterStackSpec,
  namespace: string,
  read: (at: SlotPlace) => Promise<Obj<typeof ProviderObject> | undefined>,
): Promise<Template> {
  const place = templateOf(spec, namespace);
  if (place === undefined) return { state: "none" };
  if (typeof place === "string") return { state: "refused", message: place };
  const found = await whereAdmitted(() => read(place.template));
  if ("refused" in found) return { state: "refused", message: found.refused };
  return found.value === undefined
    ? { state: "missing", place }
    : { state: "found", place, object: found.value };
}
