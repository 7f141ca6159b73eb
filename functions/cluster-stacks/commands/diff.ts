import { CliError } from "../../../shared/function/command-errors.ts";
import { differences } from "../../../shared/json/differences.ts";
import { identityKey, isKeptForGood, without } from "../../../shared/manifests/inventory.ts";
import type { PlannedStage } from "../decide/addon/planned.ts";
import type { RenderedObject } from "../decide/apply/index.ts";
import type { Resource } from "../kinds/index.ts";

/** The fate of an object of a workload cluster: `apply` where nobody kept what it was, `stay` where it is nobody's to take away. */
export type Change = "create" | "change" | "apply" | "keep" | "delete" | "stay";

/** One object, and what an upgrade does to it. */
export interface ObjectChange {
  readonly object: string;
  readonly change: Change;
  /** The stage that does it; absent: what is left over goes after all stages. */
  readonly stage?: string;
  /** The fields that change; values may be secrets. */
  readonly fields?: readonly string[];
}

/** The difference that an upgrade to another class makes. */
export interface AddonDiff {
  readonly cluster: string;
  readonly from: string;
  readonly to: string;
  readonly kubernetes: { readonly from: string; readonly to: string };
  readonly objects: readonly ObjectChange[];
}

/** A stage with the objects of its chart. */
export interface RenderedStage {
  readonly planned: Pick<PlannedStage, "name" | "action">;
  readonly objects: readonly RenderedObject[];
}

/** The addons as they stand: the record of their objects, and those of which is known how they were rendered. */
export interface Standing {
  readonly record: readonly Resource[];
  readonly kept: readonly RenderedObject[];
}

const nameOf = ({ kind = "", namespace, name = "" }: Resource): string =>
  `${kind} ${namespace === undefined || namespace === "" ? "" : `${namespace}/`}${name}`;

/** Compares addons as they stand with the stages that lead to another class. Pure. */
export function objectChanges(standing: Standing, stages: readonly RenderedStage[]): readonly ObjectChange[] {
  const known = new Map(standing.kept.map((one) => [identityKey(one.resource), one.object]));
  const recorded = new Map(standing.record.map((one) => [identityKey(one), one]));
  const touched: Resource[] = [];
  const made = new Set<string>();
  const changes = stages.flatMap(({ planned: { name: stage, action }, objects }) =>
    objects.flatMap((one): readonly ObjectChange[] => {
      const key = identityKey(one.resource);
      const object = nameOf(one.resource);
      touched.push(one.resource);
      if (action === "delete") {
        if (!recorded.has(key) && !made.has(key)) return [];
        return [{ object, stage, change: isKeptForGood(one.object) ? "stay" : "delete" }];
      }
      made.add(key);
      const before = known.get(key);
      if (before === undefined) return [{ object, stage, change: recorded.has(key) ? "apply" : "create" }];
      const fields = differences(before, one.object);
      return [
        fields.length === 0 ? { object, stage, change: "keep" } : { object, stage, change: "change", fields },
      ];
    }),
  );
  const left = without([...recorded.values()], touched).map((resource): ObjectChange => {
    const { group = "", version = "", kind = "", name = "" } = resource;
    const object = known.get(identityKey(resource)) ?? {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind,
      metadata: { name },
    };
    return { object: nameOf(resource), change: isKeptForGood(object) ? "stay" : "delete" };
  });
  return [...changes, ...left];
}

const SIGNS: Readonly<Record<Change, string>> = {
  create: "+",
  change: "~",
  apply: "?",
  keep: "=",
  delete: "-",
  stay: "!",
};
const WORDS: Readonly<Record<Change, string>> = {
  create: "created",
  change: "changed",
  apply: "applied, whatever it was",
  keep: "applied as it is",
  delete: "deleted",
  stay: "left alone: others may keep data in it",
};

/** The difference for people: a line for each object, and what the signs mean. */
export function diffText({ cluster, from, to, kubernetes, objects }: AddonDiff): string {
  const lines = objects.map(({ object, change, stage, fields = [] }) => {
    const details = [stage, fields.length === 0 ? undefined : fields.join(", ")].filter((one) => one);
    return `  ${SIGNS[change]} ${object}${details.length === 0 ? "" : ` (${details.join(": ")})`}`;
  });
  const used = (Object.keys(SIGNS) as Change[]).filter((change) =>
    objects.some((one) => one.change === change),
  );
  return [
    `${cluster}: ${from || "no addons"} → ${to}`,
    `Kubernetes ${kubernetes.from || "unknown"} → ${kubernetes.to}`,
    ...(lines.length === 0 ? ["Its addons are the same."] : lines),
    ...(used.length === 0 ? [] : [used.map((change) => `${SIGNS[change]} ${WORDS[change]}`).join(", ")]),
  ].join("\n");
}

/** The error of a release whose charts do not render for this Cluster. */
export const unrendered = (className: string, why: string): CliError =>
  new CliError("CLI_STACK_RELEASE_FAULTY", `${className} cannot be rendered for this Cluster: ${why}`);
