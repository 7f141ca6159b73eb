import type { PackageFiles } from "../files.ts";
import { extendedFindings, type ParameterCheck } from "./extended.ts";
import { duplicateFindings, nameFindings, parameterFindings } from "./parameters.ts";
import { planFindings } from "./plans.ts";
import { renderFindings } from "./render.ts";
import { merged, type Verification } from "./result.ts";
import { buildFindings, taskReferenceFindings } from "./tasks.ts";
import { namespaceFindings, templateReferenceFindings } from "./templates.ts";
import { versionFindings } from "./versions.ts";

/** The choices of whoever verifies. */
export interface VerifyOptions {
  /** Checks beside those that every package must pass. */
  readonly checks?: ReadonlySet<ParameterCheck>;
}

/** Judges a package by every rule, in upstream's order and words. */
export const verifyPackage = (files: PackageFiles, { checks }: VerifyOptions = {}): Verification =>
  merged([
    duplicateFindings(files),
    nameFindings(files),
    versionFindings(files.operator),
    buildFindings(files),
    taskReferenceFindings(files),
    planFindings(files),
    parameterFindings(files),
    templateReferenceFindings(files),
    renderFindings(files),
    namespaceFindings(files),
    ...(checks === undefined ? [] : [extendedFindings(files, checks)]),
  ]);
