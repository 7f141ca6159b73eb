import {
  type Effects,
  inOrder,
  type Obj,
  patch,
  type Results,
  TerminalError,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import { findCondition } from "../../../../shared/kube/conditions.ts";
import type { Configuration } from "../../configuration.ts";
import {
  Kyma,
  type KymaConditionType,
  type KymaStatus,
  type Manifest,
  type ModuleTemplate,
} from "../../kinds/index.ts";
import type { Effective } from "../policy/index.ts";
import { isMandatory, mandatoryModules, releasesByModule } from "../resolution/index.ts";
import { answersFor } from "./answers.ts";
import { deniedPlan } from "./denied-plan.ts";
import { mandatoryPlan } from "./mandatory-plan.ts";
import { referenceTo } from "./module-status.ts";
import type { MandatoryState, ModulePlan } from "./plan.ts";
import { kymaStatus } from "./state.ts";
import { rejectedPlan, unwantedPlan } from "./unwanted-plan.ts";
import { wantedPlan } from "./wanted-plan.ts";
import { keptIn, storedSpec } from "./wishes.ts";
import { isForAll, type KymaWorld, moduleOf } from "./world.ts";

/** Decides which Manifests a Kyma has, and what its status says of its modules (3.1, 3.2, 3.7). */
export function kymaPass(self: Obj<typeof Kyma>, world: KymaWorld, config: Configuration, now: Time) {
  const { effective } = world;
  const kept = acceptance(self, effective, config);
  const plans = plansFor(self, world, config, now);
  return {
    effects: inOrder(
      kept,
      plans.map(({ effects }) => effects),
    ),
    conclude: (results: Results) => {
      const [unkept] = results.within(kept).failed;
      if (unkept !== undefined && !unkept.error.retryable)
        throw new TerminalError(unkept.error.message, { code: unkept.error.code });
      return {
        // The next run says what comes of wishes that could not be kept: nothing was done for them.
        status:
          unkept === undefined
            ? kymaStatus(
                self.status,
                {
                  shown: plans.flatMap((plan) => afterEffects(plan.status, plan, results) ?? []),
                  mandatory: plans.flatMap((plan) => afterEffects(plan.mandatory, plan, results) ?? []),
                },
                effective,
                neededOf(config, self.status),
                now,
              )
            : undefined,
        waitingFor: distinctWaits(plans),
        wakeAt: soonest(plans),
        again: plans.some(({ again }) => again),
        retry: results.failed.some(({ error }) => error.retryable),
      };
    },
  };
}

/** The conditions of others that a Kyma needs to be ready. */
const neededOf = (
  { target, imagePullSecret, watcher }: Configuration,
  status: KymaStatus | undefined,
): readonly KymaConditionType[] => [
  ...(target === "local" ? [] : NEEDED),
  // Nothing is installed where there is no Watcher, and nothing is said of it.
  ...(watcher !== undefined && findCondition(status?.conditions, "SKRWebhook") !== undefined
    ? (["SKRWebhook"] as const)
    : []),
  ...(imagePullSecret === undefined ? [] : (["SKRImagePullSecretSync"] as const)),
];
const NEEDED: readonly KymaConditionType[] = ["Reachable", "CRDsSync", "ModuleCatalog"];

/** Keeps the part of the user's wishes that counts, so that it holds when the next one is wrong, or deleted. */
function acceptance(self: Obj<typeof Kyma>, { accepted }: Effective, config: Configuration): Effects<"Kyma"> {
  if (accepted === undefined) return [];
  const annotation = keptIn(config);
  const text = self.metadata.annotations[annotation];
  if (sameJson(storedSpec(text), accepted)) return [];
  return patch(Kyma, self, { annotations: { [annotation]: JSON.stringify(accepted) } });
}

function plansFor(
  self: Obj<typeof Kyma>,
  world: KymaWorld,
  config: Configuration,
  now: Time,
): readonly ModulePlan[] {
  const { effective, releases, manifests, templates } = world;
  const answers = answersFor(self, world, config, now);
  const forAll = new Set(
    [...releasesByModule(releases)].flatMap(([module, release]) => (isMandatory(release) ? module : [])),
  );
  const mandatory = mandatoryModules(self, releases, { template: (name) => templates.get(name) }) ?? [];
  const byModule = new Map(manifests.map((manifest) => [moduleOf(manifest), manifest]));
  /** The Manifest that a user's entry is about: a module that each cluster gets is none of its affairs. */
  const ofUser = (module: string): Obj<typeof Manifest> | undefined =>
    forAll.has(module) ? undefined : byModule.get(module);
  const added = new Set(
    effective.overrides
      .filter(({ field, reason }) => field === "module" && reason === "Enforced")
      .map(({ module }) => module),
  );
  // A module that each cluster gets and only a policy asks for is there already: no user can take it out of a list.
  const modules = effective.modules.filter(({ name }) => !(forAll.has(name) && added.has(name)));
  const listed = new Set([...modules, ...effective.denied].map(({ name }) => name));
  const wanted = new Set([
    ...[...listed].filter((name) => !forAll.has(name)),
    ...mandatory.map(({ module }) => module),
  ]);
  const refused = effective.rejections
    .flatMap(({ path }) => /^modules\[([^\]]*)\]/.exec(path)?.[1] ?? [])
    .filter((name) => !listed.has(name) && !byModule.has(name));
  const plans = [
    ...modules.map((module) =>
      wantedPlan(
        self,
        // Nobody can have one handed over that each cluster gets.
        forAll.has(module.name) ? { ...module, managed: true } : module,
        ofUser(module.name),
        answers,
        now,
      ),
    ),
    ...effective.denied.map(({ name }) =>
      deniedPlan(name, ofUser(name), answers, config.deniedGraceMinutes, now),
    ),
    ...[...new Set(refused)].map((name) => rejectedPlan(name, answers)),
    ...mandatory.map((module) => mandatoryPlan(self, module, byModule.get(module.module), answers, now)),
    ...manifests
      .filter((manifest) => !wanted.has(moduleOf(manifest)))
      .map((manifest) => {
        // A module that its user lists as well has that entry's status, and no other.
        const isShown = !isForAll(manifest) && !listed.has(moduleOf(manifest));
        return unwantedPlan(self, manifest, isShown, answers, now);
      }),
  ];
  return plans.map((plan) => withTemplate(plan, answers.installedTemplate(byModule.get(plan.module))));
}

/** The decision with a reference to the template of what is installed, where its status tells of that and not of a version that comes. */
function withTemplate(plan: ModulePlan, template: Obj<typeof ModuleTemplate> | undefined): ModulePlan {
  const { status } = plan;
  if (template === undefined || status?.manifest === undefined || status.template !== undefined) return plan;
  return { ...plan, status: { ...status, template: referenceTo(template) } };
}

/** The state of a module, after what was done for it. */
function afterEffects<S extends MandatoryState>(
  decided: S | undefined,
  { effects }: ModulePlan,
  results: Results,
): S | undefined {
  const [failure] = results.within(effects).failed;
  return decided === undefined || failure === undefined
    ? decided
    : { ...decided, state: "Error", message: failure.error.message };
}

const distinctWaits = (plans: readonly ModulePlan[]): readonly Wait[] => [
  ...new Map(plans.flatMap(({ waits }) => waits).map((wait) => [wait.for, wait])).values(),
];

/** The deadlines of all modules: of each sort the one that comes first. */
function soonest(plans: readonly ModulePlan[]): Readonly<Record<string, Time>> {
  const due = new Map<string, Time>();
  for (const [name, at] of plans.flatMap(({ wakeAt }) => Object.entries(wakeAt))) {
    const known = due.get(name);
    if (known === undefined || Date.parse(at) < Date.parse(known)) due.set(name, at);
  }
  return Object.fromEntries(due);
}
