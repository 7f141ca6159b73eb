import type { Obj } from "../../../../shared/function/index.ts";
import type { Configuration } from "../../configuration.ts";
import type { Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate } from "../../kinds/index.ts";
import type { Components } from "../../ports/components/index.ts";
import { isOfferedBy, kindsNamedBy, wordsOf } from "../dependencies/index.ts";
import { templateName, versionAsked } from "../resolution/index.ts";
import { recognised } from "./recognised.ts";
import { effectiveOf, followed } from "./wishes.ts";
import { componentKey, installedTemplateName, type KymaWorld, moduleOf } from "./world.ts";

/** The reads that a decision about a Kyma needs. */
export interface KymaReads {
  readonly components: Components;
  releases(): Promise<readonly Obj<typeof ModuleReleaseMeta>[]>;
  policies(): Promise<readonly Obj<typeof KymaPolicy>[]>;
  manifests(): Promise<readonly Obj<typeof Manifest>[]>;
  template(name: string): Promise<Obj<typeof ModuleTemplate> | undefined>;
  /** All ModuleTemplates of the catalog. */
  templates(): Promise<readonly Obj<typeof ModuleTemplate>[]>;
}

/** Reads what a decision about the modules of a Kyma rests on. The runtime is not asked. */
export async function observeKyma(
  self: Obj<typeof Kyma>,
  config: Pick<Configuration, "versions" | "target">,
  reads: KymaReads,
): Promise<KymaWorld> {
  const [releases, policies, labelled] = await Promise.all([
    reads.releases(),
    reads.policies(),
    reads.manifests(),
  ]);
  const effective = effectiveOf(self, policies, config);
  const named = [
    ...[...effective.modules, ...effective.denied, ...(self.status?.modules ?? [])].map(({ name }) => name),
    ...releases.map(({ metadata }) => metadata.name),
  ];
  const manifests = recognised(labelled, self.metadata.name, named, releases);
  const byName = new Map(releases.map((release) => [release.metadata.name, release]));
  const asked = [
    ...followed(effective, manifests).map((wish) => {
      const release = byName.get(wish.name);
      return {
        module: wish.name,
        component: release?.spec?.ocmComponentName,
        version: versionAsked(wish, effective.channel, release, config),
      };
    }),
    ...releases.map(({ metadata, spec }) => ({
      module: spec?.moduleName || metadata.name,
      component: spec?.ocmComponentName,
      version: spec?.mandatory?.version,
    })),
  ];
  const found = await Promise.all(
    asked.map(async ({ module, component, version }) => {
      if (version === undefined) return undefined;
      const template = await reads.template(templateName(module, version));
      if (template === undefined || !component) return template && { template };
      const description = await reads.components.describe(component, version);
      return { template, described: [componentKey(component, version), description] as const };
    }),
  );
  const templates = found.flatMap((one) => one?.template ?? []);
  const standing = await installedTemplates(
    manifests,
    new Set(
      asked.flatMap(({ module, version }) => (version === undefined ? [] : templateName(module, version))),
    ),
    reads,
  );
  // The others of the catalog are asked for only where one of them may have to be named.
  const all = isSomethingMissed(templates, manifests)
    ? [...(await reads.templates()), ...templates]
    : templates;
  return {
    effective,
    releases,
    templates: new Map([...standing, ...all].map((template) => [template.metadata.name, template])),
    components: new Map(found.flatMap((one) => (one?.described && [one.described]) || [])),
    manifests,
  };
}

/** The templates of installed versions beside those that are asked for: of a module that goes, or is held at another version. */
async function installedTemplates(
  manifests: readonly Obj<typeof Manifest>[],
  asked: ReadonlySet<string>,
  reads: Pick<KymaReads, "template">,
): Promise<readonly Obj<typeof ModuleTemplate>[]> {
  const installed = new Set(manifests.flatMap((manifest) => installedTemplateName(manifest) ?? []));
  const names = [...installed].filter((name) => !asked.has(name));
  const found = await Promise.all(names.map((name) => reads.template(name)));
  return found.flatMap((template) => template ?? []);
}

/**
 * True where no module among these does for a hard requirement of one of them, or its Manifest says that it is missing: one that is listed may be
 * none that this Kyma may have, or stand in another version. Of a kind the Manifest alone knows.
 */
function isSomethingMissed(
  templates: readonly Obj<typeof ModuleTemplate>[],
  manifests: readonly Obj<typeof Manifest>[],
): boolean {
  const offers = templates.map(({ metadata, spec }) => ({
    name: spec?.moduleName ?? metadata.name,
    provides: spec?.provides ?? [],
    kinds: kindsNamedBy(spec),
  }));
  const said = new Map(
    manifests.map((one) => [moduleOf(one), one.status?.lastOperation?.operation ?? ""] as const),
  );
  return templates.some(({ spec }) =>
    spec?.requires?.some(
      (required) =>
        required.optional !== true &&
        ((required.crd === undefined && !offers.some((one) => isOfferedBy(required, one))) ||
          said.get(spec.moduleName ?? "")?.includes(wordsOf(required)) === true),
    ),
  );
}
