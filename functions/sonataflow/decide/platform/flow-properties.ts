import type { ConfigMap } from "../../../../shared/kube/kinds/index.ts";
import type { EnvVar } from "../../../../shared/kube/schema/env.ts";
import type { Platform } from "../../kinds/index.ts";
import { digestOf, type Properties } from "../objects/properties-file.ts";

/** The result of a platform's `spec.properties.flow`. */
export interface FlowProperties {
  readonly properties: Properties;
  /** Secrets reach the pod as variables: they are referenced, never read. */
  readonly env: readonly EnvVar[];
  /** ConfigMaps that are missing, or miss a key that is not optional. */
  readonly missing: readonly { readonly name: string; readonly key: string }[];
}

const entriesOf = (platform: Platform | undefined) => platform?.spec?.properties?.flow ?? [];

/** The ConfigMaps that a platform's properties name, each once. */
export const configMapsOf = (platform: Platform | undefined): readonly string[] => [
  ...new Set(
    entriesOf(platform).flatMap(({ value, valueFrom }) => {
      const name = value ? undefined : valueFrom?.configMapKeyRef?.name;
      return name === undefined || name === "" ? [] : [name];
    }),
  ),
];

const plainName = (property: string): string =>
  `FLOW_PROPERTY_${property.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;

/** The variable that carries a secret property; two properties that would share a name get a digest of their own behind it. */
function variableOf(property: string, all: readonly string[]): string {
  const plain = plainName(property);
  const alone = all.every((other) => other === property || plainName(other) !== plain);
  return alone ? plain : `${plain}_${digestOf(property).slice(0, 8).toUpperCase()}`;
}

/** The properties that every workflow of the namespace gets. Of a name given twice the last one counts. */
export function flowProperties(
  platform: Platform | undefined,
  configMaps: ReadonlyMap<string, ConfigMap | undefined>,
): FlowProperties {
  const entries = [...new Map(entriesOf(platform).map((entry) => [entry.name, entry])).values()];
  const secrets = entries.flatMap(({ name, value, valueFrom }) =>
    !value && valueFrom?.secretKeyRef !== undefined && valueFrom.configMapKeyRef === undefined ? [name] : [],
  );
  // A property may be called as no assignment would keep it: __proto__.
  const properties = new Map<string, string>();
  const env: EnvVar[] = [];
  const missing: { name: string; key: string }[] = [];
  for (const { name, value, valueFrom } of entries) {
    const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    if (value || valueFrom === undefined) properties.set(name, value ?? "");
    else if (configMapKeyRef !== undefined) {
      const found = configMaps.get(configMapKeyRef.name)?.data?.[configMapKeyRef.key];
      if (found !== undefined) properties.set(name, found);
      else if (configMapKeyRef.optional !== true)
        missing.push({ name: configMapKeyRef.name, key: configMapKeyRef.key });
    } else if (secretKeyRef !== undefined) {
      const variable = variableOf(name, secrets);
      // An optional secret that is not there leaves the variable unset: the expression then needs a default.
      properties.set(name, secretKeyRef.optional === true ? `\${${variable}:}` : `\${${variable}}`);
      env.push({ name: variable, valueFrom: { secretKeyRef } });
    }
  }
  return { properties: Object.fromEntries(properties), env, missing };
}

/** A digest of all that a platform's workflows take from its spec, so that they see a change; undefined where they take nothing. */
export function workflowSettings(
  platform: Platform,
  configMaps: ReadonlyMap<string, ConfigMap | undefined>,
): string | undefined {
  const postgresql = platform.spec?.persistence?.postgresql;
  if (entriesOf(platform).length === 0 && postgresql === undefined) return undefined;
  return digestOf(JSON.stringify([flowProperties(platform, configMaps), postgresql ?? null]));
}
