import * as z from "zod";
import { isRecord } from "../../../../shared/json/fields.ts";
import { celFault, isCelName } from "./cel.ts";
import type { AssetFault } from "./fault.ts";
import { ADDON_CONFIG, HOOKS, type Hook } from "./hooks.ts";
import { judged, type Read, yamlOf } from "./yaml.ts";

const text = z.string().min(1, "it is empty");
/** A field that may be left out. Upstream's operator is written in Go, for which null is left out too. */
const optional = <S extends z.ZodType>(schema: S, isAbsent: (value: unknown) => boolean = isNull) =>
  z.preprocess((value) => (isAbsent(value) ? undefined : value), schema.optional()).optional();
const isNull = (value: unknown): boolean => value === null;
/** For Go a condition without anything is none. */
const isBare = (value: unknown): boolean =>
  isNull(value) || (isRecord(value) && Object.values(value).every(isNull));

const condition = z.strictObject({
  objects: optional(
    z.array(
      z.strictObject({
        key: text.refine(isCelName, "CEL cannot call an object by this name"),
        apiVersion: text,
        kind: text,
        name: text,
        namespace: optional(z.string()),
      }),
    ),
  ).transform((objects = []) => objects),
  conditions: text,
});
/** A condition that a stage waits for: objects of the workload cluster, and CEL about them. */
export type StageCondition = z.output<typeof condition>;

const stage = z.strictObject({
  name: text,
  action: z.enum(["apply", "delete"]),
  waitForPreCondition: optional(condition, isBare),
  waitForPostCondition: optional(condition, isBare),
});
/** A stage: a chart that is applied or deleted between two conditions. */
export type Stage = z.output<typeof stage>;
/** The stages of each moment, in order. */
export type Stages = ReadonlyMap<Hook, readonly Stage[]>;

const config = z.strictObject({
  apiVersion: z.literal("clusteraddonconfig.x-k8s.io/v1alpha1"),
  clusterAddonVersion: z.literal("clusteraddons.clusterstack.x-k8s.io/v1alpha1"),
  addonStages: z.partialRecord(z.enum(HOOKS), optional(z.array(z.unknown()))),
});

/** Reads the stages of a release; `charts` are the folders of its archive of addons. */
export function stagesOf(content: Uint8Array, charts: ReadonlySet<string>): Read<Stages> {
  const document = yamlOf(ADDON_CONFIG, content);
  if (document.faults !== undefined) return document;
  const { value, faults } = judged(config, document.value, { file: ADDON_CONFIG });
  if (faults !== undefined) return { faults };
  const wrong: AssetFault[] = [];
  const stages = new Map<Hook, readonly Stage[]>();
  for (const hook of HOOKS) {
    const read = (value.addonStages[hook] ?? []).map((one, index) => stageOf(one, hook, index, charts));
    wrong.push(...read.flatMap(({ faults: found = [] }) => found));
    const good = read.flatMap(({ value: found }) => found ?? []);
    wrong.push(...doubles(good, hook));
    if (good.length > 0) stages.set(hook, good);
  }
  return wrong.length > 0 ? { faults: wrong } : { value: stages };
}

function stageOf(written: unknown, hook: Hook, index: number, charts: ReadonlySet<string>): Read<Stage> {
  const called =
    typeof written === "object" && written !== null && "name" in written && typeof written.name === "string"
      ? written.name
      : String(index + 1);
  const place = { file: ADDON_CONFIG, stage: `${called} of ${hook}` };
  const read = judged(stage, written, place);
  if (read.faults !== undefined) return read;
  const { name, waitForPreCondition, waitForPostCondition } = read.value;
  const faults = [
    ...(charts.has(name)
      ? []
      : [{ ...place, field: "name", message: `the archive of addons has no chart in a folder ${name}` }]),
    ...conditionFaults("waitForPreCondition", waitForPreCondition),
    ...conditionFaults("waitForPostCondition", waitForPostCondition),
  ];
  return faults.length > 0 ? { faults: faults.map((fault) => ({ ...place, ...fault })) } : read;
}

function conditionFaults(
  field: string,
  found: StageCondition | undefined,
): readonly (Pick<AssetFault, "message" | "reason"> & { readonly field: string })[] {
  if (found === undefined) return [];
  const keys = found.objects.map(({ key }) => key);
  const double = keys.find((key, index) => keys.indexOf(key) !== index);
  if (double !== undefined)
    return [{ field: `${field}.objects`, message: `two objects are called ${double}` }];
  const fault = celFault(found.conditions, keys);
  return fault === undefined ? [] : [{ field: `${field}.conditions`, ...fault }];
}

const doubles = (stages: readonly Stage[], hook: Hook): readonly AssetFault[] =>
  stages.flatMap(({ name, action }, index) =>
    stages.findIndex((other) => other.name === name && other.action === action) === index
      ? []
      : [
          {
            file: ADDON_CONFIG,
            stage: `${name} of ${hook}`,
            message: `there is another stage that would ${action} it`,
          },
        ],
  );
