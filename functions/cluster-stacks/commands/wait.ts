import type { CommandTools } from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { type FindObject, waitUntil } from "../../../shared/function/wait-until.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { isNewerKubernetes } from "../decide/addon/index.ts";
import { dottedVersion, releaseOfClass, tagOf } from "../decide/names/index.ts";
import { stackOf } from "../decide/stack/index.ts";
import { classPlace } from "../decide/usage/index.ts";
import {
  type AddonTarget,
  Cluster,
  ClusterAddon,
  ClusterStack,
  ClusterStackRelease,
} from "../kinds/index.ts";
import { reasonOf } from "./list.ts";
import { asked } from "./read.ts";
import type { Awaited } from "./words.ts";

/** One thing to wait for. */
export interface WaitWish {
  readonly what: Awaited;
  readonly namespace: string;
  readonly name: string;
  /** The version of a stack; absent: any. */
  readonly version?: string | undefined;
}

/** The sentence about what is missing until the wish holds; undefined: it holds. Pure. */
export function lackOf(find: FindObject, wish: WaitWish): string | undefined {
  return wish.what === "stack" ? lackOfStack(find, wish) : lackOfCluster(find, wish);
}

function lackOfStack(find: FindObject, { namespace, name, version }: WaitWish): string | undefined {
  const raw = find({ kind: ClusterStack.kind, namespace, name });
  if (raw === undefined) return `there is no ClusterStack ${namespace}/${name}`;
  const { spec, status } = parseObject(ClusterStack, raw);
  if (version !== undefined) {
    const wanted = dottedVersion(version);
    if (wanted === undefined || spec === undefined) return `ClusterStack ${namespace}/${name} has no spec`;
    const tag = tagOf({ ...stackOf(spec), version: wanted });
    const release = find({ kind: ClusterStackRelease.kind, namespace, name: tag });
    const reason = reasonOf(release && parseObject(ClusterStackRelease, release));
    return reason && `${tag}: ${reason}`;
  }
  if (status?.usableVersions) return undefined;
  const summary = (status?.summary ?? []).map(({ name: at, phase, message }) =>
    [`${at} is not ready`, phase, message].filter((part) => part).join(": "),
  );
  return summary.join("; ") || `ClusterStack ${namespace}/${name} has no version yet`;
}

function lackOfCluster(find: FindObject, { namespace, name }: WaitWish): string | undefined {
  const raw = find({ kind: Cluster.kind, namespace, name });
  if (raw === undefined) return `there is no Cluster ${namespace}/${name}`;
  const className = classPlace(parseObject(Cluster, raw).spec?.topology, namespace)?.name ?? "";
  if (releaseOfClass(className) === undefined)
    return `Cluster ${namespace}/${name} names no class of a stack${className === "" ? "" : `: ${className}`}`;
  const found = find({ kind: ClusterAddon.kind, namespace, name: `cluster-addon-${name}` });
  if (found === undefined) return `ClusterAddon ${namespace}/cluster-addon-${name} is not there yet`;
  const { spec, status } = parseObject(ClusterAddon, found);
  const stages = (status?.stages ?? []).flatMap(({ name: stage = "", phase = "" }) =>
    phase === "done" ? [] : [`stage ${stage} is ${phase || "not begun"}`],
  );
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const said = ready?.status === "False" ? ready.message || ready.reason : undefined;
  if (spec?.clusterStack !== className)
    return [`the addons of ${className} are not installed yet`, said, ...stages]
      .filter((text) => text)
      .join(": ");
  if (status?.ready === true) return lackOfUpgrade(status.target);
  return [`the addons of ${className} are not ready`, said, ...stages].filter((text) => text).join(": ");
}

/** Stages may follow the upgrade of Kubernetes; those before it are done while it has not begun. */
function lackOfUpgrade(target: AddonTarget | undefined): string | undefined {
  const before = target?.from?.kubernetesVersion;
  return target?.hook === "BeforeClusterUpgrade" && isNewerKubernetes(before, target.kubernetesVersion)
    ? `Kubernetes is being upgraded from ${before} to ${target.kubernetesVersion}: Cluster API has not told of its end yet (AfterClusterUpgrade)`
    : undefined;
}

/** Waits until a wish holds; says what is missing whenever that changes. @throws CliError where it does not come to pass in time */
export async function waitFor(
  tools: Pick<CommandTools, "follow" | "say" | "print">,
  client: KubeClient,
  wish: WaitWish,
  limitMilliseconds: number,
): Promise<void> {
  if (wish.version !== undefined && dottedVersion(wish.version) === undefined)
    throw new UsageError(`--version ${wish.version} is no version: write v1 or v0-label.patch.`);
  if (wish.version !== undefined && wish.what === "cluster")
    throw new UsageError("--version is of a stack: a Cluster has the one that its class names.");
  const kinds = wish.what === "stack" ? [ClusterStack, ClusterStackRelease] : [Cluster, ClusterAddon];
  // A cluster that does not answer, or knows no such kind, is told at once; a watch would try for ever.
  for (const kind of kinds)
    await asked(() => client.list(resourceOf(kind), { namespace: wish.namespace, limit: 1 }));
  const met = await waitUntil(
    client,
    kinds,
    (find) => {
      const lack = lackOf(find, wish);
      return lack === undefined ? [] : [lack];
    },
    {
      follow: tools.follow,
      limitMilliseconds,
      told: (lacks) => {
        for (const lack of lacks) tools.say(`waits: ${lack}`);
      },
    },
  );
  if (!met)
    throw new CliError(
      "CLI_WAIT_TIMEOUT",
      "It did not come to pass in time: what was missing last is told above, and --timeout gives more time.",
    );
  tools.print(
    wish.what === "stack"
      ? `${wish.namespace}/${wish.name} ${wish.version ?? ""}`.trimEnd().concat(" can be used.")
      : `The addons of ${wish.namespace}/${wish.name} are ready.`,
  );
}
