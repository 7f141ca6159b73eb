import type { KeyObject } from "node:crypto";
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from "../../../../../../shared/archive/index.ts";
import { type Clock, systemClock } from "../../../../../../shared/clock/clock.ts";
import {
  Budget,
  type Data,
  Dict,
  type TemplateLimits,
  toValue,
} from "../../../../../../shared/templates/index.ts";
import type { Charts, RenderedChart, RenderRequest } from "../../contract.ts";
import { ChartError } from "../../errors.ts";
import { type Chart, readChart } from "../chart/chart.ts";
import { type KubernetesVersion, kubernetesVersionOf, requireRequest } from "../chart/request.ts";
import { withinStack } from "../chart/stack.ts";
import { printedDocuments } from "../output/documents.ts";
import { inInstallOrder } from "../output/order.ts";
import { capabilities } from "./capabilities.ts";
import { coalesce, SubchartValuesFault } from "./coalesce.ts";
import { inRange, type Part, partsOf } from "./dependencies.ts";
import { newRsaKey } from "./functions/certificates.ts";
import { chartFunctions } from "./functions/index.ts";
import { type Rendering, releaseObject, renderTemplates } from "./render.ts";
import { requireValues } from "./schema/index.ts";
import { crdsOf, templatesOf } from "./templates.ts";

/** The bounds of one rendering, and what it is made with. */
export interface BuiltInCharts {
  /** The clock that `now` asks. */
  readonly clock?: Clock;
  /** Makes an RSA key of so many bits: most of what a chart with certificates takes. */
  readonly rsaKey?: (bits: number) => KeyObject;
  readonly archive?: Partial<ArchiveLimits>;
  /** All charts within a chart. */
  readonly charts?: number;
  /** The text that all templates print. */
  readonly outputBytes?: number;
  /** The work of all templates of a chart together. It is counted, so a chart ends at the same place on every machine. */
  readonly templates?: Partial<TemplateLimits>;
}

/** Umbrellas of umbrellas; a circle cannot be packed. */
const DEPTH = 10;
const MOST_CHARTS = 100;
/** The versions of the chart that is rendered; of those within it helm takes any. */
const API_VERSIONS: readonly string[] = ["v1", "v2"];
/** The largest chart that is known prints a twentieth of it. */
const OUTPUT_BYTES = 16 * 2 ** 20;
/** The largest chart that is known takes a tenth of it. Charts nest deeper than other templates: `include` in `tpl` in `include`. */
const TEMPLATE_LIMITS: Partial<TemplateLimits> = { steps: 20_000_000, bytes: 256 * 2 ** 20, depth: 1_000 };

/** Charts rendered here, with nothing installed: what helm 4 prints, without a server and without a network. */
export function builtInCharts({
  clock = systemClock,
  rsaKey = newRsaKey,
  archive,
  charts = MOST_CHARTS,
  outputBytes = OUTPUT_BYTES,
  templates,
}: BuiltInCharts = {}): Charts {
  const limits = { archive: { ...DEFAULT_ARCHIVE_LIMITS, ...archive }, depth: DEPTH, charts };
  return {
    render: (source, request) =>
      withinStack(async () => {
        requireRequest(request);
        const chart = await readChart(source, limits);
        const version = kubernetesVersionOf(request.kubernetesVersion);
        requireInstallable(chart, version);
        const budget = new Budget({ ...TEMPLATE_LIMITS, ...templates });
        const functions = chartFunctions({ clock, rsaKey });
        return { documents: documentsOf(chart, version, request, { functions, budget, outputBytes }) };
      }),
  };
}

function requireInstallable({ metadata }: Chart, { given, plain }: KubernetesVersion): void {
  const { apiVersion, name, type, kubeVersion } = metadata;
  const place = { file: "Chart.yaml" };
  if (!API_VERSIONS.includes(apiVersion))
    throw new ChartError(
      "CHART_UNREADABLE",
      `Chart.yaml: the apiVersion ${JSON.stringify(apiVersion)} is not known: write ${API_VERSIONS.at(-1)}`,
      place,
    );
  if (type === "library")
    throw new ChartError(
      "CHART_NOT_INSTALLABLE",
      `the chart ${name} is a library: others use it, it has no objects`,
      place,
    );
  if (kubeVersion !== "" && !inRange(kubeVersion, plain))
    throw new ChartError(
      "CHART_NOT_INSTALLABLE",
      `the chart ${name} is for Kubernetes ${kubeVersion}, and this is ${given}`,
      place,
    );
}

function withValues(chart: Chart, given: Dict): { readonly part: Part; readonly values: Dict } {
  try {
    const part = partsOf(chart, given);
    return { part, values: coalesce(part, given, false) };
  } catch (error) {
    if (!(error instanceof SubchartValuesFault)) throw error;
    throw new ChartError("CHART_VALUES_INVALID", error.message, {}, error);
  }
}

function documentsOf(
  chart: Chart,
  version: KubernetesVersion,
  { values: given, releaseName, namespace, includeCrds }: RenderRequest,
  rendering: Rendering,
): RenderedChart["documents"] {
  const asked = toValue(given as Data);
  const { part, values } = withValues(chart, asked instanceof Dict ? asked : new Dict());
  requireValues(part, values);
  const templates = templatesOf(part, values, {
    release: releaseObject(releaseName, namespace),
    capabilities: capabilities(version),
  });
  const printed = renderTemplates(templates, rendering);
  const crds = includeCrds ? crdsOf(part) : [];
  return [
    ...crds.flatMap(({ source, text }) => printedDocuments(source, text)),
    ...inInstallOrder(
      [...printed]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([path, text]) => printedDocuments(path, text)),
    ),
  ];
}
