import { later, type Obj, patch, remove, type Time } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { ANNOTATIONS, Manifest, type ModuleStatus } from "../../kinds/index.ts";
import type { Answers } from "./answers.ts";
import { ofManifest, remarksOn, sentences, told } from "./module-status.ts";
import { type ModulePlan, planFor } from "./plan.ts";

/** The decision about a module that a policy denies: it goes after a grace. */
export function deniedPlan(
  module: string,
  manifest: Obj<typeof Manifest> | undefined,
  answers: Answers,
  graceMinutes: number,
  now: Time,
): ModulePlan {
  const remarks = remarksOn(module, answers.effective);
  const warning = (more: readonly (string | undefined)[] = []): ModuleStatus => ({
    name: module,
    ...(manifest !== undefined && ofManifest(manifest)),
    state: manifest !== undefined && isDeleting(manifest) ? "Deleting" : "Warning",
    maintenance: false,
    ...told([...sentences(remarks), ...more]),
  });
  if (manifest === undefined || isDeleting(manifest)) return planFor(module, warning());
  const since = manifest.metadata.annotations[ANNOTATIONS.deniedSince];
  if (since === undefined || Number.isNaN(Date.parse(since)))
    return planFor(module, warning(), {
      effects: patch(Manifest, manifest, { annotations: { [ANNOTATIONS.deniedSince]: now } }),
      again: true,
    });
  const until = later(since, `${graceMinutes}m`);
  return Date.parse(until) <= Date.parse(now)
    ? planFor(module, warning(), { effects: remove(Manifest, manifest) })
    : planFor(module, warning([`It is removed at ${until}.`]), { wakeAt: { grace: until } });
}
