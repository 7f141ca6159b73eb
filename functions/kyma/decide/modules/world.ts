import type { Obj } from "../../../../shared/function/index.ts";
import { LABELS, type Manifest, type ModuleReleaseMeta, type ModuleTemplate } from "../../kinds/index.ts";
import type { Description } from "../../ports/components/index.ts";
import type { Effective } from "../policy/index.ts";
import { templateName } from "../resolution/index.ts";

/** Everything that a decision about the modules of a Kyma rests on. */
export interface KymaWorld {
  readonly effective: Effective;
  readonly releases: readonly Obj<typeof ModuleReleaseMeta>[];
  /** The ModuleTemplates of the versions that are asked for, and of those that are installed, by name. */
  readonly templates: ReadonlyMap<string, Obj<typeof ModuleTemplate>>;
  /** The components of these versions, by `componentKey`. */
  readonly components: ReadonlyMap<string, Description>;
  /** All Manifests of the Kyma. */
  readonly manifests: readonly Obj<typeof Manifest>[];
}

/** The key of a version of a component. */
export const componentKey = (component: string, version: string): string => `${component}:${version}`;

/** The module that a Manifest installs. */
export const moduleOf = ({ metadata }: Pick<Obj<typeof Manifest>, "metadata">): string =>
  metadata.labels[LABELS.moduleName] ?? "";

/** The name of the ModuleTemplate of the version that a Manifest installs; undefined where it names none. */
export const installedTemplateName = (manifest: Obj<typeof Manifest>): string | undefined =>
  manifest.spec?.version === undefined ? undefined : templateName(moduleOf(manifest), manifest.spec.version);

/** True for the Manifest of a module that each cluster gets: no list of a user's modules has it. */
export const isForAll = ({ metadata }: Pick<Obj<typeof Manifest>, "metadata">): boolean =>
  metadata.labels[LABELS.mandatoryModule] !== undefined;
