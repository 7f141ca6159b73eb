import type { Finding } from "../decide/lint/index.ts";

/** The findings about one version of a module, or about its releases where it has no version. */
export interface LintedModule {
  readonly module: string;
  readonly version: string;
  readonly findings: readonly Finding[];
}

export const fault = (message: string): Finding => ({ level: "fault", message });
/** The fault of what the API server would not store. */
export const refused = (why: string): Finding => fault(`${why}: the API server would refuse it.`);
