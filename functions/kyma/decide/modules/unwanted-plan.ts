import { type Obj, remove, type Time } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { ANNOTATIONS, type Kyma, Manifest } from "../../kinds/index.ts";
import type { Answers } from "./answers.ts";
import { offerOf } from "./enabled.ts";
import { installation } from "./installation.ts";
import { ofManifest, remarksOn, saidOfGoing, sentences, told } from "./module-status.ts";
import { type ModulePlan, planFor } from "./plan.ts";
import { leaving } from "./wishes.ts";
import { moduleOf } from "./world.ts";

type Installed = Obj<typeof Manifest>;

/**
 * The decision about a module whose Manifest nobody wants any more. Where others require it, they and it are in Warning before it goes. A deletion that
 * is blocked still follows the catalog.
 * @param isShown false: no status lists it, so that no warning of it could be told first
 */
export function unwantedPlan(
  self: Obj<typeof Kyma>,
  manifest: Installed,
  isShown: boolean,
  answers: Answers,
  now: Time,
): ModulePlan {
  const plan = unwanted(self, manifest, isShown, answers, now);
  return isShown ? plan : { ...plan, status: undefined };
}

function unwanted(
  self: Obj<typeof Kyma>,
  manifest: Installed,
  isShown: boolean,
  answers: Answers,
  now: Time,
): ModulePlan {
  const name = moduleOf(manifest);
  const remarks = remarksOn(name, answers.effective);
  const dependents = answers.dependencies.dependents(
    offerOf(name, manifest, answers.installedTemplate(manifest)),
  );
  const warning =
    dependents.length > 0 ? `It goes although ${dependents.join(", ")} requires it.` : undefined;
  const isHandedOver = manifest.metadata.annotations[ANNOTATIONS.isUnmanaged] !== undefined;
  const said = isHandedOver ? manifest.status?.lastOperation?.operation : saidOfGoing(manifest);
  const status = {
    name,
    ...ofManifest(manifest),
    state: "Deleting" as const,
    maintenance: false,
    ...told([warning, said, ...sentences(remarks)]),
  };
  if (isHandedOver) return planFor(name, status);
  if (!isDeleting(manifest)) {
    const isWarned = self.status?.modules?.some(
      (one) => one.name === name && warning !== undefined && one.message?.includes(warning) === true,
    );
    return warning === undefined || isWarned === true || !isShown
      ? planFor(name, status, { effects: remove(Manifest, manifest) })
      : planFor(name, { ...status, state: "Warning" }, { again: true });
  }
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
