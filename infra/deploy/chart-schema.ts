import * as z from "zod";
import type { System } from "../../shared/function/system.ts";
import { settingsSchema } from "../settings/index.ts";

/** A JSON schema, as far as it is looked at here. */
interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  [word: string]: unknown;
}

/** Settings that the chart's own values say: two truths would be one too many. */
const OF_THE_CHART: readonly (readonly string[])[] = [
  ["namespaces"],
  ["systems"],
  ["cluster", "name"],
  ["bus", "kind"],
  ["bus", "embedded"],
  ["bus", "sqs"],
];

/**
 * The chart's values schema with the schemas of the settings and of each system's configuration in it, so that helm refuses what no
 * process would start with.
 * @param text values.schema.json as it is
 */
export function withSettings(text: string, systems: readonly System[]): string {
  const schema = JSON.parse(text) as Schema & { properties: Record<string, Schema> };
  const { configuration, ...settings } = propertiesOf(
    z.toJSONSchema(settingsSchema(systems), { target: "draft-7", io: "input", unrepresentable: "any" }),
  );
  const ours = strict({ type: "object", properties: settings });
  for (const path of OF_THE_CHART) leaveOut(ours, path);
  schema.properties.settings = ours;
  // A system of one's own, which a module of the settings brings, is known to nobody here.
  schema.properties.configuration = {
    ...strict(configuration ?? {}),
    additionalProperties: { type: "object" },
  };
  schema.if = { required: ["settings"], properties: { settings: { required: ["functions"] } } };
  schema.else = {
    properties: { configuration: { propertyNames: { enum: systems.map(({ name }) => name).toSorted() } } },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const propertiesOf = (schema: object): Record<string, Schema> => (schema as Schema).properties ?? {};

/** Unknown names are refused, as the processes refuse them; everything may be left out, since all has a default or is said elsewhere. */
function strict(schema: Schema): Schema {
  const { $schema: _, default: __, required: ___, ...rest } = schema;
  if (rest.properties === undefined) return rest;
  return {
    ...rest,
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(rest.properties).map(([name, inner]) => [name, strict(inner)]),
    ),
  };
}

function leaveOut(schema: Schema, [name = "", ...rest]: readonly string[]): void {
  const inner = schema.properties?.[name];
  if (inner === undefined) throw new TypeError(`There is no setting ${name} to leave out.`);
  if (rest.length > 0) leaveOut(inner, rest);
  else delete schema.properties?.[name];
}
