import type { Metadata } from "../../../../shared/function/index.ts";
import type { ModuleReleaseMetaSpec, ModuleTemplateSpec } from "../../kinds/index.ts";

/** A ModuleTemplate as far as decisions go by it. */
export interface Template {
  readonly metadata: Pick<Metadata, "name" | "generation" | "labels">;
  readonly spec?: ModuleTemplateSpec | undefined;
}
/** A ModuleReleaseMeta as far as decisions go by it. */
export interface Release {
  readonly metadata: Pick<Metadata, "name" | "deletionTimestamp">;
  readonly spec?: ModuleReleaseMetaSpec | undefined;
}
/** The catalog: releases by module, and templates by name. */
export interface Catalog {
  readonly release: (module: string) => Release | undefined;
  readonly template: (name: string) => Template | undefined;
}

/** The name of the ModuleTemplate of a version. */
export const templateName = (module: string, version: string): string => `${module}-${version}`;
