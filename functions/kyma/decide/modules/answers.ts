import type { Obj, Time, Wait } from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import type { Configuration } from "../../configuration.ts";
import {
  type Kyma,
  type Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
  type Requirement,
} from "../../kinds/index.ts";
import type { Description } from "../../ports/components/index.ts";
import { type Dependencies, dependenciesAmong, isOfferedBy, kindsNamedBy } from "../dependencies/index.ts";
import type { Effective } from "../policy/index.ts";
import {
  mandatoryModules,
  type Question,
  type Resolution,
  releasesByModule,
  resolve,
  templateName,
  type Wish,
} from "../resolution/index.ts";
import { maintenanceAt, policyIn, runtimeOf } from "../windows/index.ts";
import { mandatoryModule, offerOf, wantedModule } from "./enabled.ts";
import { namesakesAmong } from "./namesakes.ts";
import { lists } from "./wishes.ts";
import { componentKey, installedTemplateName, type KymaWorld, moduleOf } from "./world.ts";

/** The answers to the questions that a decision about one module asks. */
export interface Answers {
  readonly effective: Effective;
  resolve(wish: Question["wish"], installed: string | undefined): Resolution;
  template(name: string): Obj<typeof ModuleTemplate> | undefined;
  /** The ModuleTemplate of the version that is installed; undefined: nothing is, or the catalog has lost it. */
  installedTemplate(manifest: Obj<typeof Manifest> | undefined): Obj<typeof ModuleTemplate> | undefined;
  component(name: string, version: string): Description | undefined;
  readonly dependencies: Dependencies;
  /** The sentence about a module whose Manifest would have the name of another one's; undefined where it has one of its own. */
  namesake(module: string): string | undefined;
  /** The modules of the catalog that would do for a requirement, and that this Kyma may have. */
  candidates(required: Requirement): readonly string[];
  /** The modules that are to go, or go, of those that do for a module. */
  leavingFrom(module: string): readonly string[];
  /** The objects of the catalog that a verdict waits for. */
  waitsFor(wish: Wish, resolution: Resolution): readonly Wait[];
}

/** The answers for a Kyma at a time. */
export function answersFor(
  self: Obj<typeof Kyma>,
  { effective, releases, templates, components, manifests }: KymaWorld,
  config: Configuration,
  now: Time,
): Answers {
  const { labels, namespace } = self.metadata;
  const byName = releasesByModule(releases);
  const maintenance = maintenanceAt(
    now,
    policyIn(config.maintenancePolicy),
    runtimeOf(labels),
    `${config.minimumWindowMinutes}m`,
  );
  const resolveWish: Answers["resolve"] = (wish, installed) =>
    resolve({
      wish,
      kyma: {
        metadata: self.metadata,
        channel: effective.channel,
        skipMaintenanceWindows: effective.skipMaintenanceWindows,
      },
      catalog: { release: (name) => byName.get(name), template: (name) => templates.get(name) },
      installed,
      maintenance,
      restrictedModules: config.restrictedModules,
      versions: config.versions,
    });
  const installedTemplate: Answers["installedTemplate"] = (manifest) => {
    const name = manifest && installedTemplateName(manifest);
    return name === undefined ? undefined : templates.get(name);
  };
  const byModule = new Map(manifests.map((manifest) => [moduleOf(manifest), manifest]));
  const { name: kyma } = self.metadata;
  const mandatory = mandatoryModules(self, releases, { template: (name) => templates.get(name) }) ?? [];
  const forAll = new Set(mandatory.map(({ module }) => module));
  const enabled = [
    ...mandatory.map((module) => mandatoryModule(kyma, module)),
    ...effective.modules
      .filter(({ name }) => !forAll.has(name))
      .map((module) => {
        const manifest = byModule.get(module.name);
        const resolution = resolveWish(module, manifest?.spec?.version);
        return wantedModule(kyma, module, manifest, resolution, installedTemplate);
      }),
  ];
  const namesakes = namesakesAmong(enabled, manifests);
  // The Manifest of that name is another module's: nobody may wait for it by mistake.
  const dependencies = dependenciesAmong(
    enabled.map((module) => (namesakes.has(module.name) ? { ...module, manifest: undefined } : module)),
  );
  const isEnabled = new Set(enabled.map(({ name }) => name));
  return {
    effective,
    resolve: resolveWish,
    dependencies,
    namesake: (module) => namesakes.get(module),
    candidates: (required) =>
      releases.flatMap(({ metadata: { name } }) => {
        if (isEnabled.has(name)) return [];
        const resolution = resolveWish({ name }, undefined);
        if (required.module !== undefined)
          return required.module === name && resolution.verdict !== "withdraw" ? [name] : [];
        if (resolution.verdict !== "install") return [];
        const { spec } = resolution.template;
        const offer = { name, provides: spec?.provides ?? [], kinds: kindsNamedBy(spec) };
        return isOfferedBy(required, offer) ? [name] : [];
      }),
    leavingFrom: (module) =>
      [...byModule].flatMap(([name, manifest]) =>
        !isEnabled.has(name) &&
        dependencies.dependents(offerOf(name, manifest, installedTemplate(manifest))).includes(module)
          ? [name]
          : [],
      ),
    template: (name) => templates.get(name),
    installedTemplate,
    component: (name, version) => components.get(componentKey(name, version)),
    waitsFor(wish, resolution) {
      const release = waitForRelease(wish.name, namespace);
      if (resolution.verdict === "install")
        // The Kyma does not name a module that a policy adds yet: an event about it would not lead here.
        return lists(self, wish.name)
          ? []
          : [release, waitForTemplate(templateName(wish.name, resolution.version), namespace)];
      if (resolution.reason === "NoRelease") return [release];
      return resolution.awaits === undefined ? [] : [waitForTemplate(resolution.awaits, namespace)];
    },
  };
}

/** The wait for a ModuleReleaseMeta to come or to change. */
export const waitForRelease = (name: string, namespace: string): Wait => ({
  for: `ModuleReleaseMeta ${name} to come or change`,
  object: { apiVersion: apiVersionOf(ModuleReleaseMeta), kind: "ModuleReleaseMeta", name, namespace },
});
/** The wait for a ModuleTemplate to come or to change. */
export const waitForTemplate = (name: string, namespace: string): Wait => ({
  for: `ModuleTemplate ${name} to come or change`,
  object: { apiVersion: apiVersionOf(ModuleTemplate), kind: "ModuleTemplate", name, namespace },
});
