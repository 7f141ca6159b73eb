import { assetsOf } from "../decide/assets/assets.ts";
import { type Addons, type AssetFault, type Assets, faultText } from "../decide/assets/index.ts";
import { dottedText, type ReleaseName, stemOf, tagOf } from "../decide/names/index.ts";
import {
  CLASS_CHART,
  chartFaultText,
  classFault,
  classRendering,
  printedObjects,
} from "../decide/render/index.ts";
import { ChartError, type Charts } from "../ports/charts/index.ts";
import type { OpenedRelease } from "../ports/releases/index.ts";

/** The verdict on a release. */
export interface Verdict {
  readonly release: string;
  readonly valid: boolean;
  readonly digest: string;
  readonly kubernetes?: string;
  readonly addons?: { readonly version: string; readonly form: Addons["form"] };
  readonly faults: readonly AssetFault[];
  /** Remarks about what only a live Cluster can tell. */
  readonly notes: readonly string[];
}

/** Faults of a chart that no values mend. */
const ITS_OWN = ["CHART_UNREADABLE", "CHART_DEPENDENCY_MISSING", "CHART_TEMPLATE_INVALID"];

/** Judges a release by all that its functions would trip over, and by what its charts print without a Cluster. */
export async function verdictOn(name: ReleaseName, opened: OpenedRelease, charts: Charts): Promise<Verdict> {
  const release = tagOf(name);
  const { value: assets, faults = [] } = assetsOf(name, opened);
  const none = { release, digest: opened.digest, valid: false, notes: [] };
  if (assets === undefined) return { ...none, faults };
  const addons = await addonVerdicts(assets, charts);
  const found = [...(await classFaults(name, assets, charts)), ...addons.faults];
  const { kubernetes, addon } = assets.metadata;
  return {
    ...none,
    valid: found.length === 0,
    kubernetes,
    addons: { version: dottedText(addon), form: assets.addons.form },
    faults: found,
    notes: addons.notes,
  };
}

/** The class must come out under the name by which Clusters ask for it. */
async function classFaults(
  name: ReleaseName,
  assets: Assets,
  charts: Charts,
): Promise<readonly AssetFault[]> {
  const file = `${stemOf(name)}-cluster-class-${dottedText(name.version)}.tgz`;
  const made = await printedObjects(charts, assets.classChart, classRendering(name, "default"), CLASS_CHART);
  if ("fault" in made) return [{ file, message: made.fault }];
  const message = classFault(name, made.objects);
  return message === undefined ? [] : [{ file, message }];
}

/** The charts of addons by their folders; the one of a single stage by none. */
const chartsOf = (addons: Addons) =>
  addons.form === "single-stage" ? ([["", addons.chart]] as const) : [...addons.charts];

async function addonVerdicts(
  { addons, metadata }: Assets,
  charts: Charts,
): Promise<Pick<Verdict, "faults" | "notes">> {
  const faults: AssetFault[] = [];
  const notes: string[] = [];
  for (const [folder, { files }] of chartsOf(addons))
    try {
      await charts.render(
        { files },
        {
          values: {},
          releaseName: "cluster-addon",
          namespace: "kube-system",
          kubernetesVersion: metadata.kubernetes,
          includeCrds: true,
        },
      );
    } catch (error) {
      if (!(error instanceof ChartError)) throw error;
      const file = folder === "" ? "the chart of addons" : `the chart ${folder}`;
      if (ITS_OWN.includes(error.code)) faults.push({ file, message: chartFaultText(error) });
      else notes.push(`${file} does not render with its own values alone: ${chartFaultText(error)}`);
    }
  return { faults, notes };
}

/** The verdict as text: a line for a good release, else a line for each fault. */
export function verdictText({ release, valid, kubernetes, addons, digest, faults }: Verdict): string {
  if (!valid) return faults.map(faultText).join("\n");
  const form = addons?.form === "multi-stage" ? "in stages" : "in one chart";
  return `${release} is valid: Kubernetes ${kubernetes ?? ""}, addons ${addons?.version ?? ""} ${form}, ${digest}`;
}
