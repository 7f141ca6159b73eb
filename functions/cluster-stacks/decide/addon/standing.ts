import type { Obj, SlotPlace } from "../../../../shared/function/index.ts";
import type { ClusterStackRelease, Resource } from "../../kinds/index.ts";
import type { Charts } from "../../ports/charts/index.ts";
import type { Opening } from "../../ports/releases/index.ts";
import { addonMark } from "../apply/index.ts";
import { type Assets, faultText } from "../assets/index.ts";
import { type ReleaseName, releaseOfClass, tagOf } from "../names/index.ts";
import { ADDON_RENDERING, renderedObjects } from "../render/index.ts";
import { DEFAULT_SOURCE, type NamespacedReleases, type SourceOf } from "../source/index.ts";
import type { ValuesReads } from "./objects.ts";
import { valuesObjects } from "./objects.ts";
import { bringingStages, type PlannedStage } from "./plan.ts";
import type { Plan } from "./planned.ts";
import { isAfterAnothers, type StoredAddon } from "./target.ts";

/** The objects that another program installed, and keeps no record of any more. */
export type Standing =
  /** Those that its release prints: what is not there costs nothing, and what does not bear the label stays. */
  | { readonly state: "known"; readonly resources: readonly Resource[] }
  /** Nobody can say which, and why. */
  | { readonly state: "unknown"; readonly class: string; readonly why: string }
  /** It cannot be said yet. */
  | {
      readonly state: "later";
      readonly class: string;
      readonly why: string;
      /** The answer of the source, where that is what is missing. */
      readonly opening?: Opening;
      /** The objects at home whose change may tell. */
      readonly valuesOf: readonly SlotPlace[];
    };

/** The reads that this needs. */
export interface StandingReads extends ValuesReads {
  readonly releases: NamespacedReleases;
  readonly charts: Charts;
  release(at: {
    readonly name: string;
    readonly namespace: string;
  }): Promise<Obj<typeof ClusterStackRelease> | undefined>;
  /** The scope of a kind in the workload cluster. */
  workloadKnows(what: {
    readonly apiVersion: string;
    readonly kind: string;
  }): Promise<{ readonly scope: "Namespaced" | "Cluster" } | undefined>;
}

interface Surroundings {
  /** The Cluster that values are made of. */
  readonly home: SlotPlace;
  /** The namespace of its releases. */
  readonly namespace: string;
}

/** The class whose objects have to be found out: another program completed it, and emptied its record afterwards, as upstream does with stages. */
export function unrecordedClass(self: StoredAddon, { target }: Pick<Plan, "target">): string | undefined {
  const isRecorded = (self.status?.resources ?? []).length > 0;
  return self.status?.target === undefined && !isRecorded && isAfterAnothers(target)
    ? target.from?.clusterStack
    : undefined;
}

/** Renders the release that stands, for the identities of its objects alone. */
export async function standingOf(
  self: { readonly metadata: { readonly name: string; readonly namespace: string } },
  standing: string,
  { home, namespace }: Surroundings,
  reads: StandingReads,
): Promise<Standing> {
  const release = releaseOfClass(standing);
  const unknown = (why: string): Standing => ({ state: "unknown", class: standing, why });
  if (release === undefined) return unknown("it is a class of no stack");
  const read = await assetsOfRelease(release, namespace, reads);
  if ("opening" in read) return { state: "later", class: standing, valuesOf: [], ...read };
  if ("why" in read) return unknown(read.why);
  const { assets } = read;
  const stages = bringingStages(assets);
  const live = stages.some(({ values }) => values !== undefined)
    ? await valuesObjects(home, reads)
    : undefined;
  if (live !== undefined && "missing" in live)
    return { state: "later", class: standing, why: `${live.missing} is not there`, valuesOf: live.places };
  const { addonValues } = await import("../values/values.ts");
  const valuesFor = ({ values }: PlannedStage) =>
    values === undefined || live === undefined
      ? { values: {} }
      : addonValues(values.file, values.text, live.objects);
  const resources: Resource[] = [];
  for (const stage of stages) {
    const made = valuesFor(stage);
    if ("fault" in made) return unknown(made.fault);
    const rendered = await renderedObjects({
      charts: reads.charts,
      chart: stage.chart,
      request: {
        ...ADDON_RENDERING,
        values: made.values,
        kubernetesVersion: assets.metadata.kubernetes,
      },
      called: `the chart ${stage.name}`,
      mayBeEmpty: true,
      mark: addonMark(self),
      knows: (what) => reads.workloadKnows(what),
    });
    if ("fault" in rendered) return unknown(rendered.fault);
    resources.push(...rendered.objects.map(({ resource }) => resource));
  }
  return { state: "known", resources };
}

async function assetsOfRelease(
  release: ReleaseName,
  namespace: string,
  reads: StandingReads,
): Promise<
  { readonly assets: Assets } | { readonly why: string } | { readonly why: string; readonly opening: Opening }
> {
  const tag = tagOf(release);
  const stored = await reads.release({ name: tag, namespace });
  const source: SourceOf = { source: stored?.spec?.source ?? DEFAULT_SOURCE, namespace };
  const opening = await reads.releases.open(source, tag, {});
  switch (opening.state) {
    case "failed":
      return { why: opening.message, opening };
    case "not due":
      return { why: "its source was not asked yet", opening };
    case "absent":
    case "damaged":
      return { why: opening.message };
    case "opened": {
      const { assetsOf } = await import("../assets/assets.ts");
      const { value, faults = [] } = assetsOf(release, opening.release);
      return value === undefined ? { why: faults.map(faultText).join("; ") } : { assets: value };
    }
  }
}
