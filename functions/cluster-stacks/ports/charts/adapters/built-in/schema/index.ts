import { messageOf } from "../../../../../../../shared/errors.ts";
import { bytesOf, Dict, dataOf } from "../../../../../../../shared/templates/index.ts";
import { ChartError } from "../../../errors.ts";
import type { Part } from "../dependencies.ts";
import { SchemaFault, violations } from "./validate.ts";

/** The most that an error tells. */
const MOST_TOLD = 10;

function schemaOf({ name, chart }: Part): unknown {
  if (chart.schema === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(chart.schema));
  } catch (error) {
    throw new ChartError(
      "CHART_UNREADABLE",
      `${name}: values.schema.json is no JSON: ${messageOf(error)}`,
      { file: "values.schema.json" },
      error,
    );
  }
}

/** The chart of a violation, and what is wrong. */
function faultsOf(part: Part, values: Dict): readonly string[] {
  const schema = schemaOf(part);
  const own = schema === undefined ? [] : told(part, schema, values);
  return [
    ...own,
    ...part.subcharts.flatMap((child) => {
      const inner = values.entries.get(bytesOf(child.name));
      return inner instanceof Dict ? faultsOf(child, inner) : [];
    }),
  ];
}

function told({ name }: Part, schema: unknown, values: Dict): readonly string[] {
  try {
    return violations(schema, dataOf(values)).map(({ path, message }) => `${name}: at '${path}': ${message}`);
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    throw new ChartError(
      "CHART_UNREADABLE",
      `${name}: values.schema.json: ${error.message}`,
      { file: "values.schema.json" },
      error,
    );
  }
}

/** Checks the values of each chart against its values.schema.json. @throws ChartError that names what is wrong */
export function requireValues(part: Part, values: Dict): void {
  const faults = faultsOf(part, values);
  if (faults.length === 0) return;
  const more = faults.length > MOST_TOLD ? `; ${faults.length - MOST_TOLD} more` : "";
  throw new ChartError(
    "CHART_VALUES_INVALID",
    `the values are not what values.schema.json wants: ${faults.slice(0, MOST_TOLD).join("; ")}${more}`,
  );
}
