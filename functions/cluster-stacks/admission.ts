import { admission, allow, deny } from "../../shared/function/index.ts";
import { whereKnown } from "../../shared/function/known.ts";
import { sameJson } from "../../shared/json/same-json.ts";
import { addonFaults, admitCluster, stackFaults } from "./decide/admit/index.ts";
import { releaseOfClass, releaseOfTag } from "./decide/names/index.ts";
import { isOfStack } from "./decide/stack/index.ts";
import { classPlace, releasePlace, type User, usersOf, userText, usesOf } from "./decide/usage/index.ts";
import { Cluster, ClusterAddon, ClusterStack, ClusterStackRelease } from "./kinds/index.ts";

/** A stack that is made, changed or deleted: what its functions would have to refuse later is told at once (2.1). */
export const stackAdmission = admission("cluster-stack-admission", ClusterStack, [
  "create",
  "update",
  "delete",
]).function({
  reads: [Cluster],
  // The functions refuse by the same rules, and hold what is in use.
  whenDown: "allow",
  webhook: {
    name: "validation.clusterstack.clusterstack.x-k8s.io",
    path: "/validate-clusterstack-x-k8s-io-v1alpha1-clusterstack",
    type: "Validating",
  },
  observe: async ({ operation, read }) => ({
    clusters: operation === "delete" ? await whereKnown(() => read.list(Cluster)) : [],
  }),
  admit: ({ operation, object, old, clusters }) => {
    if (operation !== "delete") {
      // A spec that was stored before must be able to end, and to be labelled.
      const isLeftAsItWas =
        object.metadata.deletionTimestamp !== undefined ||
        (old !== undefined && sameJson(object.spec, old.spec));
      const faults = isLeftAsItWas ? [] : stackFaults(object.spec, object.metadata.namespace, old?.spec);
      return faults.length === 0 ? allow() : deny(faults.join("; "), 422);
    }
    const { spec, metadata } = old;
    const users = usesOf(clusters, []).flatMap(({ release, namespace, by }) =>
      spec !== undefined && namespace === metadata.namespace && isOfStack(release, spec) ? [by] : [],
    );
    return users.length === 0 ? allow() : deny(inUse(users));
  },
});

/** A release that is deleted: not while somebody uses it (2.2). */
export const releaseAdmission = admission("cluster-stack-release-admission", ClusterStackRelease, [
  "delete",
]).function({
  reads: [Cluster],
  // Its finalizer holds it as well.
  whenDown: "allow",
  webhook: {
    name: "validation.clusterstackrelease.clusterstack.x-k8s.io",
    path: "/validate-clusterstack-x-k8s-io-v1alpha1-clusterstackrelease",
    type: "Validating",
  },
  observe: async ({ read }) => ({ clusters: await whereKnown(() => read.list(Cluster)) }),
  admit: ({ old, clusters }) => {
    const { name, namespace } = old.metadata;
    const release = releaseOfTag(name);
    const users = release === undefined ? [] : usersOf(usesOf(clusters, []), release, namespace);
    return users.length === 0 ? allow() : deny(inUse(users));
  },
});

const inUse = (users: readonly User[]): string =>
  `it is in use by ${users.map(userText).join(", ")}: have them leave its class first`;

/** The ClusterAddon of a Cluster: it stays with that one (2.3). */
export const addonAdmission = admission("cluster-addon-admission", ClusterAddon, [
  "create",
  "update",
]).function({
  // Functions make them themselves, and find no Cluster for one that is wrong.
  whenDown: "allow",
  webhook: {
    name: "validation.clusteraddon.clusterstack.x-k8s.io",
    path: "/validate-clusterstack-x-k8s-io-v1alpha1-clusteraddon",
    type: "Validating",
  },
  admit: ({ object, old }) => {
    const { namespace, deletionTimestamp } = object.metadata;
    const faults = deletionTimestamp === undefined ? addonFaults(object.spec, namespace, old?.spec) : [];
    return faults.length === 0 ? allow() : deny(faults.join("; "), 422);
  },
});

/** A Cluster that asks for a class of a stack: its version must be the one that the release was tested with (2.4). */
export const clusterAdmission = admission("cluster-class-admission", Cluster, ["create", "update"]).function({
  reads: [ClusterStackRelease],
  // Whoever makes Clusters must not be stopped by this program.
  whenDown: "allow",
  webhook: {
    name: "validation.cluster.cluster.x-k8s.io",
    path: "/validate-cluster-x-k8s-io-v1beta1-cluster",
  },
  observe: async ({ object, read }) => {
    const place = releasePlace(classPlace(object.spec?.topology, object.metadata.namespace));
    return { release: place && (await read.get(ClusterStackRelease, place)) };
  },
  admit: ({ object, old, release }) => {
    const wishOf = (cluster: typeof object) => {
      const place = classPlace(cluster.spec?.topology, cluster.metadata.namespace);
      const name = place?.name ?? "";
      return { name, place, release: releaseOfClass(name), version: cluster.spec?.topology?.version ?? "" };
    };
    const wish = wishOf(object);
    const before = old === undefined ? undefined : wishOf(old);
    // Whoever changes something else of a Cluster is not asked about its class.
    const isSame = before?.name === wish.name && before.version === wish.version && wish.version !== "";
    if (isSame || object.metadata.deletionTimestamp !== undefined) return allow();
    const answer = admitCluster(wish, wish.name, release?.status?.kubernetesVersion, before);
    if (!answer.allow) return deny(answer.message);
    const change =
      answer.version === undefined
        ? undefined
        : { defaults: { spec: { topology: { version: answer.version } } } };
    return allow(change, answer.warning === undefined ? [] : [answer.warning]);
  },
});
