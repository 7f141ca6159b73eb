import { later, type Obj, own, type Time } from "../../../../shared/function/index.ts";
import { type Kyma, Manifest } from "../../kinds/index.ts";
import { type MandatoryModule, templateName } from "../resolution/index.ts";
import { type Answers, waitForTemplate } from "./answers.ts";
import { manifestOf } from "./manifest-body.ts";
import { ASK_AGAIN, type ModulePlan, planFor } from "./plan.ts";

/** The decision about a module that each cluster gets. It is not shown in the status. */
export function mandatoryPlan(
  self: Obj<typeof Kyma>,
  { module, version, ocmComponentName }: MandatoryModule,
  answers: Answers,
  now: Time,
): ModulePlan {
  const { namespace } = self.metadata;
  const template = answers.template(templateName(module, version));
  // No status lists the module, so that a change of its template would not lead here.
  const waits = [waitForTemplate(templateName(module, version), namespace)];
  const description = ocmComponentName ? answers.component(ocmComponentName, version) : undefined;
  if (template === undefined || description === undefined) return planFor(module, undefined, { waits });
  if (description.state !== "described")
    return planFor(module, undefined, {
      waits,
      ...(description.state === "failed" && { wakeAt: { component: later(now, ASK_AGAIN) } }),
    });
  if (answers.dependencies.cycle(module) !== undefined) return planFor(module, undefined, { waits });
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
  return planFor(module, undefined, { waits, effects: own(self, Manifest, body, { force: true }) });
}
