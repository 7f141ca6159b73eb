import type { Archive, OpenedRelease } from "../../ports/releases/index.ts";
import { dottedText, type ReleaseName, type StackVersion, stemOf } from "../names/index.ts";
import { valuesTemplateFault } from "../values/values.ts";
import { type Stages, stagesOf } from "./addon-config.ts";
import { type ChartFiles, chartsIn } from "./charts.ts";
import type { AssetFault } from "./fault.ts";
import { ADDON_CONFIG, STAGE_VALUES } from "./hooks.ts";
import { METADATA, type Metadata, metadataOf } from "./metadata.ts";
import type { Read } from "./yaml.ts";

/** The file whose values go before those of the one chart of addons. */
const ADDON_VALUES = "cluster-addon-values.yaml";

/** The addons of a release: one chart, or a chart for each stage. */
export type Addons =
  | { readonly form: "single-stage"; readonly chart: ChartFiles; readonly valuesTemplate: string | undefined }
  | {
      readonly form: "multi-stage";
      readonly charts: ReadonlyMap<string, ChartFiles>;
      readonly stages: Stages;
    };

/** The assets of a release, all of them judged. */
export interface Assets extends Pick<OpenedRelease, "digest" | "formerDigest"> {
  readonly metadata: Metadata;
  readonly classChart: ChartFiles;
  readonly addons: Addons;
}

/** Reads the assets of a release. All that a later step would trip over is found here, each fault in a sentence of its own. */
export function assetsOf(name: ReleaseName, opened: OpenedRelease): Read<Assets> {
  const content = opened.files.get(METADATA);
  if (content === undefined) return { faults: [{ file: METADATA, message: "it is missing" }] };
  const metadata = metadataOf(content, name);
  if (metadata.faults !== undefined) return metadata;
  const classChart = classChartOf(name, opened);
  const addons = addonsOf(name, metadata.value.addon, opened);
  if (classChart.faults !== undefined || addons.faults !== undefined)
    return { faults: [...(classChart.faults ?? []), ...(addons.faults ?? [])] };
  return {
    value: {
      digest: opened.digest,
      formerDigest: opened.formerDigest,
      metadata: metadata.value,
      classChart: classChart.value,
      addons: addons.value,
    },
  };
}

type Part = "class" | "addon";
/** The exact name of an archive: v1 is not v10. */
const archiveName = (name: ReleaseName, part: Part, version: StackVersion): string =>
  `${stemOf(name)}-cluster-${part}-${dottedText(version)}.tgz`;

function archiveOf(file: string, { archives }: OpenedRelease): Read<ReadonlyMap<string, Uint8Array>> {
  const archive: Archive | undefined = archives.get(file);
  if (archive === undefined) return { faults: [{ file, message: "it is missing" }] };
  return "fault" in archive ? { faults: [{ file, message: archive.fault }] } : { value: archive.files };
}

function classChartOf(name: ReleaseName, opened: OpenedRelease): Read<ChartFiles> {
  const file = archiveName(name, "class", name.version);
  const archive = archiveOf(file, opened);
  if (archive.faults !== undefined) return archive;
  const one = onlyChart(file, archive.value);
  if (one.faults !== undefined) return one;
  const version = dottedText(name.version);
  // The ClusterClass is named by it.
  if (one.value.version !== version)
    return {
      faults: [
        {
          file,
          field: "Chart.yaml: version",
          message: `it is ${one.value.version}, and the release's ${version}`,
        },
      ],
    };
  return one;
}

function onlyChart(file: string, files: ReadonlyMap<string, Uint8Array>): Read<ChartFiles> {
  const { charts, faults } = chartsIn(file, files);
  if (faults.length > 0) return { faults };
  const [chart] = charts.values();
  if (chart === undefined || charts.size > 1)
    return { faults: [{ file, message: `it holds ${charts.size} charts, not one` }] };
  return chart.isLibrary ? { faults: [{ file, ...LIBRARY }] } : { value: chart };
}

const LIBRARY = {
  field: "Chart.yaml: type",
  message: "it is library, a chart without objects: write application",
} as const;

function addonsOf(name: ReleaseName, version: StackVersion, opened: OpenedRelease): Read<Addons> {
  const file = archiveName(name, "addon", version);
  const archive = archiveOf(file, opened);
  const config = opened.files.get(ADDON_CONFIG);
  if (archive.faults !== undefined) return archive;
  if (config === undefined) {
    const chart = onlyChart(file, archive.value);
    if (chart.faults !== undefined) return chart;
    const values = opened.files.get(ADDON_VALUES);
    const valuesTemplate = values === undefined ? undefined : new TextDecoder().decode(values);
    const wrong = templateFaults(ADDON_VALUES, values);
    if (wrong.length > 0) return { faults: wrong };
    return { value: { form: "single-stage", chart: chart.value, valuesTemplate } };
  }
  const { charts, faults } = chartsIn(file, archive.value);
  const stages = stagesOf(config, new Set(charts.keys()));
  if (faults.length > 0 || stages.faults !== undefined)
    return { faults: [...faults, ...(stages.faults ?? [])] };
  const named = new Set([...stages.value.values()].flatMap((list) => list.map((stage) => stage.name)));
  const libraries = [...named].filter((name) => charts.get(name)?.isLibrary === true);
  if (libraries.length > 0)
    return { faults: libraries.map((name) => ({ ...LIBRARY, file: `${file}: ${name}` })) };
  const wrong = [...named].flatMap((chart) =>
    templateFaults(`${chart}/${STAGE_VALUES}`, charts.get(chart)?.files.get(STAGE_VALUES)),
  );
  if (wrong.length > 0) return { faults: wrong };
  return { value: { form: "multi-stage", charts, stages: stages.value } };
}

/** The fault of a values template that can be rendered for no Cluster. */
function templateFaults(file: string, content: Uint8Array | undefined): readonly AssetFault[] {
  const message =
    content === undefined ? undefined : valuesTemplateFault(file, new TextDecoder().decode(content));
  return message === undefined ? [] : [{ file, message }];
}
