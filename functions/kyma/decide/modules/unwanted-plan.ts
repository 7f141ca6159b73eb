import { type Obj, remove, type Time } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { ANNOTATIONS, type Kyma, Manifest } from "../../kinds/index.ts";
import { keptCapabilities } from "../dependencies/index.ts";
import type { Answers } from "./answers.ts";
import { installation } from "./installation.ts";
import { ofManifest, remarksOn, sentences, told } from "./module-status.ts";
import { type ModulePlan, planFor } from "./plan.ts";
import { leaving } from "./wishes.ts";
import { moduleOf } from "./world.ts";

type Installed = Obj<typeof Manifest>;

/** The decision about a module whose Manifest nobody wants any more. A deletion that is blocked still follows the catalog. */
export function unwantedPlan(
  self: Obj<typeof Kyma>,
  manifest: Installed,
  answers: Answers,
  now: Time,
): ModulePlan {
  const name = moduleOf(manifest);
  const remarks = remarksOn(name, answers.effective);
  const dependents = answers.dependencies.dependents({ name, provides: keptCapabilities(manifest) });
  const status = {
    name,
    ...ofManifest(manifest),
    state: "Deleting" as const,
    maintenance: false,
    ...told([
      dependents.length > 0 ? `It goes although ${dependents.join(", ")} requires it.` : undefined,
      manifest.status?.lastOperation?.operation,
      ...sentences(remarks),
    ]),
  };
  if (manifest.metadata.annotations[ANNOTATIONS.isUnmanaged] !== undefined) return planFor(name, status);
  if (!isDeleting(manifest)) return planFor(name, status, { effects: remove(Manifest, manifest) });
  const { customResourcePolicy = "CreateAndDelete" } = manifest.spec ?? {};
  const wish = { ...leaving(manifest), customResourcePolicy };
  const resolution = answers.resolve(wish, manifest.spec?.version);
  if (resolution.verdict !== "install") return planFor(name, status);
  return { ...installation(self, wish, manifest, resolution, answers, now), status };
}

/** The decision about a wish that counts for nothing: its user is told. */
export const rejectedPlan = (module: string, answers: Answers): ModulePlan =>
  planFor(module, {
    name: module,
    state: "Warning",
    maintenance: false,
    ...told(sentences(remarksOn(module, answers.effective))),
  });
