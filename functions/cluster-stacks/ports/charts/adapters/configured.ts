import type { Charts } from "../contract.ts";
import { builtInCharts } from "./built-in/index.ts";
import { helmCharts } from "./helm/index.ts";

/** The renderer that a configuration asks for: a helm binary where one is named, else the one that is built in. */
export const configuredCharts = ({ helm }: { readonly helm?: string | undefined }): Charts =>
  helm === undefined ? builtInCharts() : helmCharts({ binary: helm });
