import { type Obj, own, type Time } from "../../../../shared/function/index.ts";
import { type Kyma, Manifest } from "../../kinds/index.ts";
import type { EffectiveModule } from "../policy/index.ts";
import { type Resolution, templateName } from "../resolution/index.ts";
import type { Answers } from "./answers.ts";
import { manifestOf } from "./manifest-body.ts";
import { failing, installing, otherComponent, remarksOn, standing } from "./module-status.ts";
import { askedAgain, type ModulePlan, planFor } from "./plan.ts";

type Install = Extract<Resolution, { readonly verdict: "install" }>;

/** The decision about a module that is to have a version. */
export function installation(
  self: Obj<typeof Kyma>,
  { name, customResourcePolicy }: Pick<EffectiveModule, "name" | "customResourcePolicy">,
  manifest: Obj<typeof Manifest> | undefined,
  { channel, version, ocmComponentName }: Install,
  answers: Answers,
  now: Time,
): ModulePlan {
  const remarks = remarksOn(name, answers.effective);
  const template = answers.template(templateName(name, version));
  const description = answers.component(ocmComponentName, version);
  if (template === undefined || description === undefined)
    return planFor(name, standing(name, manifest, remarks));
  if (description.state !== "described")
    return planFor(name, failing(name, manifest, description.message, remarks), {
      wakeAt: askedAgain(description, now),
    });
  const { component } = description;
  const body = manifestOf(self, {
    module: name,
    channel,
    version,
    component,
    template,
    customResourcePolicy,
    mandatory: false,
    requires: answers.dependencies.requires(template.spec),
  });
  if (manifest !== undefined && manifest.metadata.name !== body.metadata.name)
    return planFor(
      name,
      failing(
        name,
        manifest,
        `${otherComponent(ocmComponentName)}: disable the module, and enable it again once it has gone.`,
        remarks,
      ),
    );
  return planFor(
    name,
    installing(
      name,
      manifest,
      { channel, version, ocmComponentName, template, artifact: component.source.ref },
      remarks,
    ),
    {
      effects: own(self, Manifest, body, { force: true }),
    },
  );
}
