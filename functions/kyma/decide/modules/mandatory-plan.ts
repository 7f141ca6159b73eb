import { type Obj, own, type Time } from "../../../../shared/function/index.ts";
import { type Kyma, Manifest } from "../../kinds/index.ts";
import { type MandatoryModule, templateName } from "../resolution/index.ts";
import { type Answers, waitForTemplate } from "./answers.ts";
import { manifestOf } from "./manifest-body.ts";
import { otherComponent, saidBy, stateOf, told } from "./module-status.ts";
import { askedAgain, type ModulePlan, planFor } from "./plan.ts";

/** The decision about a module that each cluster gets. Of the status a condition alone tells of it. */
export function mandatoryPlan(
  self: Obj<typeof Kyma>,
  { module, version, ocmComponentName }: MandatoryModule,
  manifest: Obj<typeof Manifest> | undefined,
  answers: Answers,
  now: Time,
): ModulePlan {
  const { namespace } = self.metadata;
  const template = answers.template(templateName(module, version));
  // No status lists the module, so that a change of its template would not lead here.
  const waits = [waitForTemplate(templateName(module, version), namespace)];
  const description = ocmComponentName ? answers.component(ocmComponentName, version) : undefined;
  const failed = (message: string, more: Partial<ModulePlan> = {}): ModulePlan =>
    planFor(module, undefined, { waits, mandatory: { name: module, state: "Error", message }, ...more });
  if (template === undefined)
    return failed(`The catalog has no ModuleTemplate ${templateName(module, version)}.`);
  if (description === undefined)
    return failed(`The ModuleReleaseMeta ${module} names no component in spec.ocmComponentName.`);
  if (description.state !== "described")
    return failed(description.message, { wakeAt: askedAgain(description, now) });
  const fault = answers.namesake(module) ?? answers.dependencies.cycle(module);
  if (fault !== undefined) return failed(fault);
  const body = manifestOf(self, {
    module,
    version,
    channel: undefined,
    component: description.component,
    template,
    customResourcePolicy: "CreateAndDelete",
    mandatory: true,
    requires: answers.dependencies.requires(template.spec),
  });
  if (manifest !== undefined && manifest.metadata.name !== body.metadata.name)
    return failed(
      `${otherComponent(ocmComponentName)}: name the former one in the ModuleReleaseMeta ${module}, or delete that, and create it anew once the module has gone.`,
    );
  const state = manifest === undefined ? "Processing" : stateOf(manifest, description.component.source.ref);
  return planFor(module, undefined, {
    waits,
    effects: own(self, Manifest, body, { force: true }),
    mandatory: { name: module, state, ...told([saidBy(manifest, state)]) },
  });
}
