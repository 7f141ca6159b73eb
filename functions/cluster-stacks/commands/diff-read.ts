import { listAll } from "../../../shared/function/asking.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import { fieldOf, textOf } from "../../../shared/json/fields.ts";
import type { KubeClient, Resource as ServerResource } from "../../../shared/kube/client.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { parseApiVersion } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { valuesObjects } from "../decide/addon/objects.ts";
import { planOf } from "../decide/addon/plan.ts";
import type { PlannedStage } from "../decide/addon/planned.ts";
import { keptRendering, partName } from "../decide/addon/store.ts";
import type { WantedClass } from "../decide/addon/target.ts";
import { addonMark } from "../decide/apply/index.ts";
import { assetsOf } from "../decide/assets/assets.ts";
import { type Assets, faultText } from "../decide/assets/index.ts";
import { releaseOfClass, tagOf } from "../decide/names/index.ts";
import { ADDON_RENDERING, renderedObjects } from "../decide/render/index.ts";
import { isOfStack } from "../decide/stack/index.ts";
import { classPlace } from "../decide/usage/index.ts";
import { addonValues } from "../decide/values/values.ts";
import {
  addonName,
  Cluster,
  ClusterAddon,
  ClusterStack,
  ClusterStackRelease,
  type ClusterStackSpec,
} from "../kinds/index.ts";
import type { Charts } from "../ports/charts/index.ts";
import { type AddonDiff, objectChanges, type RenderedStage, type Standing, unrendered } from "./diff.ts";
import { asked } from "./read.ts";
import { opened, type Source } from "./source.ts";

/** The question: a Cluster, and the class that it would move to. */
export interface DiffWish {
  readonly namespace: string;
  readonly name: string;
  readonly to: string;
}

/** The outside of a difference. */
export interface DiffOutside {
  readonly charts: Charts;
  /** The source of a release in that namespace, by the name that its object gives; undefined: that of those that name none. */
  source(name: string | undefined, namespace: string): Source;
}

type Addon = Obj<typeof ClusterAddon>;
type Place = { readonly namespace: string; readonly name: string };

/** Tells what moving a Cluster to a class would do to its addons: nothing is written. @throws CliError */
export async function readDiff(
  client: KubeClient,
  { namespace, name, to }: DiffWish,
  outside: DiffOutside,
): Promise<AddonDiff> {
  const release = releaseOfClass(to);
  if (release === undefined) throw new TypeError(`${to} was taken for a class of a stack`);
  const raw = await asked(() => client.get(resourceOf(Cluster), { namespace, name }));
  if (raw === undefined)
    throw new CliError(
      "CLI_STACK_NOT_FOUND",
      `There is no Cluster ${namespace}/${name}: -n names the namespace.`,
    );
  const cluster = parseObject(Cluster, raw);
  const classNamespace = classPlace(cluster.spec?.topology, namespace)?.namespace ?? namespace;
  const wanted: WantedClass = { class: to, release, tag: tagOf(release), namespace: classNamespace };
  const [addon, stored] = await Promise.all([
    find(client, ClusterAddon, { namespace, name: addonName(name) }),
    find(client, ClusterStackRelease, { namespace: classNamespace, name: wanted.tag }),
  ]);
  const { source } = stored?.spec ?? (await stackSpec(client, wanted)) ?? {};
  const assets = await assetsAt(outside.source(source, classNamespace), wanted);
  const version = assets.metadata.kubernetes;
  // The plan is made as if Cluster API had asked already: the question is what comes then.
  const plan = planOf(addon ?? NO_ADDON, wanted, assets, version);
  const stages: RenderedStage[] = [];
  for (const planned of "waits" in plan ? [] : plan.stages)
    stages.push(
      await renderedStage(client, planned, { place: { namespace, name }, raw, wanted, version }, outside),
    );
  return {
    cluster: `Cluster ${namespace}/${name}`,
    from: addon?.spec?.clusterStack ?? "",
    to,
    kubernetes: { from: textOf(fieldOf(fieldOf(raw.spec, "topology"), "version")), to: version },
    objects: stages.length === 0 ? [] : objectChanges(await standingOf(client, addon), stages),
  };
}

const NO_ADDON = { metadata: { annotations: {} } } as const;

/** The spec of the stack that would make a release that is not there yet. */
async function stackSpec(
  client: KubeClient,
  { release, namespace }: WantedClass,
): Promise<ClusterStackSpec | undefined> {
  const stacks = await asked(() => listAll(client, ClusterStack, namespace));
  return stacks.map(({ spec }) => spec).find((spec) => spec !== undefined && isOfStack(release, spec));
}

async function find<K extends Kind>(client: KubeClient, kind: K, at: Place): Promise<Obj<K> | undefined> {
  const raw = await asked(() => client.get(resourceOf(kind), at));
  return raw && parseObject(kind, raw);
}

async function assetsAt(source: Source, { tag, release }: WantedClass): Promise<Assets> {
  const { value, faults } = assetsOf(release, await opened(source, tag));
  if (value !== undefined) return value;
  throw new CliError("CLI_STACK_RELEASE_FAULTY", `${tag} has faults: ${faults.map(faultText).join("; ")}`);
}

/** The kind of an object as the server knows it. */
async function servedKind(
  client: KubeClient,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Promise<ServerResource | undefined> {
  const { group, version } = parseApiVersion(apiVersion);
  return (await client.discover(group, version)).find((one) => one.kind === kind);
}

async function renderedStage(
  client: KubeClient,
  planned: PlannedStage,
  of: {
    readonly place: Place;
    readonly raw: { readonly apiVersion: string };
    readonly wanted: WantedClass;
    readonly version: string;
  },
  { charts }: DiffOutside,
): Promise<RenderedStage> {
  const { place, raw, wanted, version } = of;
  const rendered = await renderedObjects({
    charts,
    chart: planned.chart,
    request: {
      ...ADDON_RENDERING,
      values: await valuesFor(client, planned, { ...place, apiVersion: raw.apiVersion }, wanted.class),
      kubernetesVersion: version,
    },
    called: `the chart ${planned.name}`,
    mayBeEmpty: true,
    mark: addonMark({ metadata: { namespace: place.namespace, name: addonName(place.name) } }),
    // The workload cluster is not asked: what both serve has one scope.
    knows: (what) => servedKind(client, what),
  });
  if ("fault" in rendered) throw unrendered(wanted.class, rendered.fault);
  return { planned, objects: rendered.objects };
}

/** The values of a stage, made of the live Cluster as it is now. */
async function valuesFor(
  client: KubeClient,
  { values }: PlannedStage,
  { namespace, name, apiVersion }: Place & { readonly apiVersion: string },
  className: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (values === undefined) return {};
  const live = await valuesObjects(
    { apiVersion, kind: Cluster.kind, name, namespace },
    {
      object: async (at) => {
        const resource = await servedKind(client, at);
        return resource && client.get(resource, { name: at.name, namespace: at.namespace });
      },
      knows: (what) => servedKind(client, what),
    },
  );
  if ("missing" in live) throw unrendered(className, `${live.missing} is missing`);
  const read = addonValues(values.file, values.text, live.objects);
  if ("fault" in read) throw unrendered(className, `${values.file}: ${read.fault}`);
  return read.values;
}

/** The addons as they were recorded, and as they were rendered where that is kept. */
async function standingOf(client: KubeClient, addon: Addon | undefined): Promise<Standing> {
  if (addon === undefined) return { record: [], kept: [] };
  const { name, namespace } = addon.metadata;
  const kept = await Promise.all(
    (addon.status?.stages ?? []).map(async ({ rendered, action }, index) => {
      if (rendered === undefined || action === "delete") return [];
      const parts = (part: number) => find(client, Secret, { namespace, name: partName(name, index, part) });
      return (await keptRendering(rendered, parts)) ?? [];
    }),
  );
  return { record: addon.status?.resources ?? [], kept: kept.flat() };
}
