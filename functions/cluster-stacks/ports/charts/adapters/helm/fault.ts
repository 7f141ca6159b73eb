import { ChartError, type ChartErrorCode } from "../../errors.ts";

interface Form {
  readonly code: ChartErrorCode;
  /** Names `file`, `line` and `reason` where helm's words have them. */
  readonly pattern: RegExp;
  /** The file where helm's words name none. */
  readonly file?: string;
}

/** The forms of helm's errors, the first that fits counts. */
const FORMS: readonly Form[] = [
  {
    code: "CHART_TEMPLATE_INVALID",
    pattern: /^parse error at \((?<file>.+?):(?<line>\d+)(?::\d+)?\): (?<reason>[\s\S]*)$/,
  },
  {
    code: "CHART_TEMPLATE_FAILED",
    pattern: /^execution error at \((?<file>.+?):(?<line>\d+):\d+\): (?<reason>[\s\S]*)$/,
  },
  {
    code: "CHART_TEMPLATE_FAILED",
    pattern: /^(?:template: )?(?<file>[^\n:]+?):(?<line>\d+):\d+[:\n]\s*(?<reason>[\s\S]*)$/,
  },
  { code: "CHART_OUTPUT_INVALID", pattern: /^YAML parse error on (?<file>[^:\n]+): (?<reason>[\s\S]*)$/ },
  {
    code: "CHART_VALUES_INVALID",
    pattern:
      /^values don't meet the specifications of the schema\(s\) in the following chart\(s\):\n(?<reason>[\s\S]*)$/,
  },
  { code: "CHART_VALUES_INVALID", pattern: /^(?:[^\n]*failed: )?(?<reason>type mismatch on [\s\S]*)$/ },
  {
    code: "CHART_DEPENDENCY_MISSING",
    pattern: /^(?<reason>.*found in Chart\.yaml, but missing in charts[\s\S]*)$/,
  },
  {
    code: "CHART_NOT_INSTALLABLE",
    pattern: /^(?<reason>(?:chart requires kubeVersion|library charts are not installable)[\s\S]*)$/,
    file: "Chart.yaml",
  },
  {
    code: "CHART_UNREADABLE",
    pattern: /^(?<reason>(?:unsupported chart version|invalid chart apiVersion)[\s\S]*)$/,
    file: "Chart.yaml",
  },
  {
    code: "CHART_NOT_INSTALLABLE",
    pattern: /^.*?(?<reason>validation: [\s\S]*|[^\n]*not installable[\s\S]*)$/,
  },
];

/** The words of helm without what it says around them. */
const wordsOf = (errors: string): string => {
  const begin = errors.lastIndexOf("Error: ");
  return errors
    .slice(begin < 0 ? 0 : begin + "Error: ".length)
    .replace(/\n+Use --debug flag to render out invalid YAML\s*$/, "")
    .replace(/^INSTALLATION FAILED: /, "")
    .trim();
};

/** The error that helm's messages tell. */
export function faultOf(errors: string): ChartError {
  const words = wordsOf(errors);
  for (const { code, pattern, file: usual } of FORMS) {
    const { file = usual, line, reason } = pattern.exec(words)?.groups ?? {};
    if (reason === undefined) continue;
    const place = { file, line: line === undefined ? undefined : Number(line) };
    const where =
      file === undefined || file === usual ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
    return new ChartError(code, `${where}${reason.trim()}`, place);
  }
  return new ChartError("CHART_TEMPLATE_FAILED", `helm says: ${words}`);
}
