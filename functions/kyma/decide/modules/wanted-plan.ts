import { type Effects, type Obj, patch, remove, type Time } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { ANNOTATIONS, type Kyma, Manifest } from "../../kinds/index.ts";
import { adviceOn, wordsOf } from "../dependencies/index.ts";
import type { EffectiveModule } from "../policy/index.ts";
import type { Template } from "../resolution/index.ts";
import { type Answers, waitForRelease } from "./answers.ts";
import { installation } from "./installation.ts";
import {
  failing,
  held,
  type Remarks,
  remarksOn,
  saidBy,
  sentences,
  standing,
  told,
  withRemarks,
} from "./module-status.ts";
import { type ModulePlan, planFor } from "./plan.ts";
import { withProviders } from "./providers.ts";

type Installed = Obj<typeof Manifest>;

/** The decision about a module that is wanted. */
export function wantedPlan(
  self: Obj<typeof Kyma>,
  module: EffectiveModule,
  manifest: Installed | undefined,
  answers: Answers,
  now: Time,
): ModulePlan {
  const plan = decided(self, module, manifest, answers, now);
  const { effects } = plan;
  const stays = module.managed && Array.isArray(effects) && effects.length === 0;
  return stays && manifest !== undefined && !isDeleting(manifest)
    ? { ...plan, effects: withProviders(self, manifest, answers) }
    : plan;
}

function decided(
  self: Obj<typeof Kyma>,
  module: EffectiveModule,
  manifest: Installed | undefined,
  answers: Answers,
  now: Time,
): ModulePlan {
  const { name } = module;
  const remarks = remarksOn(name, answers.effective);
  if (!module.managed) return unmanagedPlan(name, manifest, remarks);
  const undone = manifest === undefined ? undefined : unmarked(manifest);
  if (undone !== undefined)
    return planFor(name, standing(name, manifest, remarks), { effects: undone, again: true });
  const resolution = answers.resolve(module, manifest?.spec?.version);
  const waits = [...answers.waitsFor(module, resolution)];
  if (resolution.verdict !== "install") {
    const effects =
      resolution.verdict === "withdraw" && manifest !== undefined && !isDeleting(manifest)
        ? remove(Manifest, manifest)
        : [];
    const opensAt = resolution.verdict === "keep" ? resolution.opensAt : undefined;
    return planFor(name, held(name, manifest, resolution, remarks), {
      effects,
      waits,
      ...(opensAt !== undefined && { wakeAt: { window: opensAt } }),
    });
  }
  const fault = answers.namesake(name) ?? answers.dependencies.cycle(name);
  if (fault !== undefined) return planFor(name, failing(name, manifest, fault, remarks), { waits });
  const plan = installation(self, module, manifest, resolution, answers, now);
  return advised({ ...plan, waits }, resolution.template, manifest, self.metadata.namespace, answers);
}

/** The decision with what is to be said of requirements that no module provides which the Kyma has. */
function advised(
  plan: ModulePlan,
  { spec }: Template,
  manifest: Installed | undefined,
  namespace: string,
  answers: Answers,
): ModulePlan {
  const { status, module } = plan;
  if (status === undefined) return plan;
  const said = manifest?.status?.lastOperation?.operation ?? "";
  const unprovided = answers.dependencies.unprovided(spec, (kind) => said.includes(wordsOf(kind)));
  const leaving = answers.leavingFrom(module);
  if (unprovided.length === 0 && leaving.length === 0) return plan;
  const advice = unprovided.map((one) => adviceOn(one, answers.candidates(one)));
  const releases = unprovided.flatMap((one) => one.module ?? []);
  const isWarned = leaving.length > 0 && (status.state === "Ready" || status.state === "Processing");
  return {
    ...plan,
    status: {
      ...status,
      ...(isWarned && { state: "Warning" }),
      ...told([
        status.message,
        leaving.length === 0 ? undefined : `It requires ${leaving.join(", ")}, which is disabled.`,
        ...advice,
      ]),
    },
    // The catalog may get it: nobody lists it yet.
    waits: [...plan.waits, ...releases.map((name) => waitForRelease(name, namespace))],
  };
}

/** The decision about a module that is left to its user: what is installed stays, and its Manifest goes. */
function unmanagedPlan(name: string, manifest: Installed | undefined, remarks: Remarks): ModulePlan {
  if (manifest === undefined)
    return planFor(name, {
      name,
      state: withRemarks("Unmanaged", remarks),
      maintenance: false,
      ...told(sentences(remarks)),
    });
  const status = {
    ...standing(name, manifest, remarks),
    state: "Processing" as const,
    ...told(["It is handed over to its user.", saidBy(manifest, "Ready"), ...sentences(remarks)]),
  };
  const isMarked = manifest.metadata.annotations[ANNOTATIONS.isUnmanaged] === "true";
  return planFor(name, status, {
    effects: isMarked
      ? []
      : patch(Manifest, manifest, { annotations: { [ANNOTATIONS.isUnmanaged]: "true" } }),
  });
}

/** Takes back what only an unmanaged or denied module bears; undefined: it bears nothing of it. */
function unmarked(manifest: Installed): Effects<"Manifest"> | undefined {
  const marks = [ANNOTATIONS.isUnmanaged, ANNOTATIONS.deniedSince].filter(
    (name) => manifest.metadata.annotations[name] !== undefined,
  );
  return marks.length === 0
    ? undefined
    : patch(Manifest, manifest, { annotations: Object.fromEntries(marks.map((name) => [name, null])) });
}
