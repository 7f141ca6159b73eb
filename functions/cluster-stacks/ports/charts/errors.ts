import { ReveilleError } from "../../../../shared/errors.ts";

/** The place in a chart that an error is about. */
export interface ChartPlace {
  /** The path in the chart, with the chart's name in front as helm prints it: `web/templates/service.yaml`. */
  readonly file?: string | undefined;
  /** Counted from 1; absent where no line is to blame. */
  readonly line?: number | undefined;
}

/** A chart cannot be rendered. */
export class ChartError extends ReveilleError implements ChartPlace {
  declare readonly code: ChartErrorCode;
  readonly file?: string;
  readonly line?: number;

  constructor(code: ChartErrorCode, message: string, { file, line }: ChartPlace = {}, cause?: unknown) {
    super(code, message, { cause });
    if (file !== undefined) this.file = file;
    if (line !== undefined) this.line = line;
  }
}

export type ChartErrorCode =
  /** The archive or a file of it is no chart. */
  | "CHART_UNREADABLE"
  /** `Chart.yaml` names a dependency that `charts/` does not hold. */
  | "CHART_DEPENDENCY_MISSING"
  /** The chart is not for this Kubernetes version, or no chart to install. */
  | "CHART_NOT_INSTALLABLE"
  /** The values are not what `values.schema.json` or a subchart wants. */
  | "CHART_VALUES_INVALID"
  /** A template is no template. */
  | "CHART_TEMPLATE_INVALID"
  /** A template fails, by itself or by `fail` and `required`. */
  | "CHART_TEMPLATE_FAILED"
  /** The rendered text is no YAML, or no object. */
  | "CHART_OUTPUT_INVALID"
  /** Rendering takes more than it may: bytes, levels, steps, time or memory. */
  | "CHART_LIMIT"
  /** The configured helm does not run. */
  | "CHART_HELM_UNUSABLE";
