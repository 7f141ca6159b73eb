import { CliError } from "../../../shared/function/command-errors.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { parseApiVersion } from "../../../shared/kube/object.ts";
import { isClusterClass } from "../decide/apply/index.ts";
import { releaseOfTag, sameRelease } from "../decide/names/index.ts";
import { isOfStack } from "../decide/stack/index.ts";
import { classPlace, releasePlace } from "../decide/usage/index.ts";
import type { Condition, ObjectReference } from "../kinds/index.ts";
import type { ACluster, AnAddon, ARelease, AStack, Landscape } from "./read.ts";

/** The state of what a node stands for. */
export type NodeState = "ready" | "waiting" | "unknown";

/** One object of the graph, and those that follow from it. */
export interface GraphNode {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: NodeState;
  /** The reason why it is not ready, for people. */
  readonly says?: string;
  readonly below: readonly GraphNode[];
}

type At = { readonly namespace: string; readonly name: string };
const isAt = ({ namespace, name }: At, { metadata }: { readonly metadata: At }): boolean =>
  metadata.namespace === namespace && metadata.name === name;

/** The state that a condition Ready tells. */
function standing(conditions: readonly Condition[] = []): Pick<GraphNode, "state" | "says"> {
  const ready = conditions.find(({ type }) => type === "Ready");
  if (ready === undefined) return { state: "unknown" };
  if (ready.status === "True") return { state: "ready" };
  const says = ready.message || ready.reason;
  return { state: "waiting", ...(says && { says }) };
}

/** Tells whether the provider's object of a release is ready; undefined where it is not there. */
export type ProviderState = (reference: ObjectReference, namespace: string) => boolean | undefined;

/** The objects from a stack to the addons of the Clusters that use it. Pure. */
export function stackGraph(stack: AStack, landscape: Landscape, provider: ProviderState): GraphNode {
  const { metadata, spec, status } = stack;
  const releases =
    spec === undefined
      ? []
      : landscape.releases.filter(({ metadata: at }) => {
          const name = releaseOfTag(at.name);
          return at.namespace === metadata.namespace && name !== undefined && isOfStack(name, spec);
        });
  return {
    kind: "ClusterStack",
    ...placeOf(stack),
    ...standing(status?.conditions),
    below: releases.map((release) => releaseNode(release, landscape, provider)),
  };
}

const placeOf = ({ metadata: { namespace, name } }: { readonly metadata: At }): At => ({ namespace, name });

function releaseNode(release: ARelease, landscape: Landscape, provider: ProviderState): GraphNode {
  const { metadata, spec, status } = release;
  const clusters = landscape.clusters.filter((cluster) => isUsing(cluster, release));
  const classes = (status?.resources ?? []).filter(isClusterClass);
  const reference = spec?.providerRef;
  const isReady = reference && provider(reference, metadata.namespace);
  return {
    kind: "ClusterStackRelease",
    ...placeOf(release),
    ...standing(status?.conditions),
    below: [
      ...(reference === undefined
        ? []
        : [
            {
              kind: reference.kind ?? "",
              namespace: reference.namespace || metadata.namespace,
              name: reference.name ?? "",
              state: isReady === true ? ("ready" as const) : ("waiting" as const),
              ...(isReady === undefined && { says: "it is not there" }),
              below: [],
            },
          ]),
      ...classes.map(
        ({ name = "", namespace = metadata.namespace, status: applied, error }): GraphNode => ({
          kind: "ClusterClass",
          namespace,
          name,
          state: applied === "synced" ? "ready" : "waiting",
          ...(error && { says: error }),
          below: clusters.map((cluster) => clusterNode(cluster, landscape.addons)),
        }),
      ),
    ],
  };
}

/** True for a Cluster whose class is of that release. */
function isUsing({ metadata, spec }: ACluster, release: ARelease): boolean {
  const at = releasePlace(classPlace(spec?.topology, metadata.namespace));
  const [mine, theirs] = [releaseOfTag(release.metadata.name), at && releaseOfTag(at.name)];
  return (
    at?.namespace === release.metadata.namespace &&
    mine !== undefined &&
    theirs !== undefined &&
    sameRelease(mine, theirs)
  );
}

function clusterNode(cluster: ACluster, addons: readonly AnAddon[]): GraphNode {
  const { namespace, name } = cluster.metadata;
  const addon = addons.find((one) => isAt({ namespace, name: `cluster-addon-${name}` }, one));
  return {
    kind: "Cluster",
    namespace,
    name,
    ...standing(conditionsOf(cluster)),
    below: addon === undefined ? [] : [addonNode(addon)],
  };
}

/** The conditions of a Cluster, which another program writes. */
const conditionsOf = (cluster: ACluster): readonly Condition[] => {
  const conditions = fieldOf(fieldOf(cluster, "status"), "conditions");
  return Array.isArray(conditions) ? conditions : [];
};

const addonNode = (addon: AnAddon): GraphNode => ({
  kind: "ClusterAddon",
  ...placeOf(addon),
  ...standing(addon.status?.conditions),
  below: (addon.status?.stages ?? []).map(
    ({ name = "", phase = "" }): GraphNode => ({
      kind: "stage",
      namespace: addon.metadata.namespace,
      name,
      state: phase === "done" ? "ready" : "waiting",
      ...(phase !== "done" && { says: phase }),
      below: [],
    }),
  ),
});

/** The same graph with nothing but what leads to one Cluster, and what follows from it. */
export function pathTo(node: GraphNode, cluster: At): GraphNode | undefined {
  if (node.kind === "Cluster")
    return node.namespace === cluster.namespace && node.name === cluster.name ? node : undefined;
  const below = node.below.flatMap((one) => pathTo(one, cluster) ?? []);
  return below.length === 0 ? undefined : { ...node, below };
}

/** The graph of a ClusterStack of that name, or else that of a Cluster. @throws CliError where there is neither */
export function graphOf(at: At, landscape: Landscape, provider: ProviderState): GraphNode {
  const stack = landscape.stacks.find((one) => isAt(at, one));
  if (stack !== undefined) return stackGraph(stack, landscape, provider);
  const cluster = landscape.clusters.find((one) => isAt(at, one));
  if (cluster === undefined)
    throw new CliError(
      "CLI_STACK_NOT_FOUND",
      `There is neither a ClusterStack nor a Cluster ${at.namespace}/${at.name}: \`reveille cluster-stack list -A\` shows the stacks, -n names the namespace.`,
    );
  const paths = landscape.stacks.flatMap((one) => pathTo(stackGraph(one, landscape, provider), at) ?? []);
  return paths[0] ?? clusterNode(cluster, landscape.addons);
}

/** Reads which of the providers' objects of releases are ready. */
export async function providerStates(
  client: KubeClient,
  releases: readonly ARelease[],
): Promise<ProviderState> {
  const keyOf = ({ apiVersion = "", kind = "", name = "", namespace }: ObjectReference, home: string) =>
    `${apiVersion}/${kind}/${namespace || home}/${name}`;
  const states = new Map<string, boolean>();
  for (const { spec, metadata } of releases) {
    const { apiVersion = "", kind = "", name = "", namespace } = spec?.providerRef ?? {};
    if (name === "") continue;
    const { group, version } = parseApiVersion(apiVersion);
    const resource = (await client.discover(group, version)).find((one) => one.kind === kind);
    if (resource === undefined) continue;
    const found = await client.get(resource, { name, namespace: namespace || metadata.namespace });
    if (found !== undefined && spec?.providerRef !== undefined)
      states.set(keyOf(spec.providerRef, metadata.namespace), fieldOf(found.status, "ready") === true);
  }
  return (reference, namespace) => states.get(keyOf(reference, namespace));
}
