// Every flag of `reveille cluster-stack`, in lines that do what they say. What they print is tried beside the commands.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { releaseFiles } from "../../functions/cluster-stacks/decide/assets/test-release.ts";
import {
  ClusterAddon,
  ClusterStack,
  ClusterStackRelease,
} from "../../functions/cluster-stacks/kinds/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/index.ts";

type Line = readonly [line: string, says: RegExp];

const TAG = "docker-ferrol-1-27-v1";

const SOURCE = {
  "csctl.yaml":
    "apiVersion: csctl.clusterstack.x-k8s.io/v1alpha1\nconfig: {kubernetesVersion: v1.30.2, clusterStackName: scs, provider: {type: docker}}\n",
  "cluster-class/Chart.yaml": "apiVersion: v2\nname: class\nversion: v1\n",
  "cluster-class/templates/class.yaml":
    "apiVersion: cluster.x-k8s.io/v1beta1\nkind: ClusterClass\nmetadata: {name: '{{ .Release.Name }}-{{ .Chart.Version }}'}\n",
  "cluster-addon/Chart.yaml": "apiVersion: v2\nname: addon\nversion: v1\n",
} as const;

/** Writes a release, and the source of one; gives back the words that stand for it and its folder. */
export async function stackWords(folder: string): Promise<Readonly<Record<string, string>>> {
  const releases = join(folder, "releases");
  mkdirSync(join(releases, TAG), { recursive: true });
  for (const [name, content] of Object.entries(await releaseFiles(TAG)))
    writeFileSync(join(releases, TAG, name), content);
  const source = join(folder, "source");
  for (const [path, text] of Object.entries(SOURCE)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  return {
    RELEASES: releases,
    RELEASE: join(releases, TAG),
    TAG,
    SOURCE: source,
    MADE: join(folder, "made"),
    PUBLIC: join(folder, "public"),
  };
}

/** Installs the kinds, which no function of this cluster brings. */
export async function installStackKinds(client: KubeClient): Promise<void> {
  for (const kind of [ClusterStack, ClusterStackRelease, ClusterAddon])
    await client.create(resourceOf(CustomResourceDefinition), { ...crdOf(kind) }, { fieldManager: "tester" });
}

const OWN = "--kubeconfig KUBECONFIG --context CONTEXT";
/** Lines that only read. */
export const STACK_READING: readonly Line[] = [
  ["cluster-stack list --data DATA -n default", /There is no ClusterStack/],
  [`cluster-stack list ${OWN} -A -o json`, /\[\]/],
  ["cluster-stack releases RELEASES -o json", /"tag": "docker-ferrol-1-27-v1"/],
  ["cluster-stack releases RELEASES --no-read", /stable +1\.27/],
  ["cluster-stack verify RELEASE", /is valid/],
  ["cluster-stack verify TAG --from RELEASES -o yaml", /valid: true/],
];
/** Lines that end with 1, and why. */
export const STACK_REFUSING: readonly Line[] = [
  [
    "cluster-stack graph nobody --data DATA -n default",
    /neither a ClusterStack nor a Cluster default\/nobody/,
  ],
  [`cluster-stack graph nobody ${OWN} -o svg`, /neither a ClusterStack nor a Cluster/],
  [
    "cluster-stack wait stack nobody --data DATA -n default --version v1 --timeout 1ms",
    /waits: there is no ClusterStack default\/nobody/,
  ],
  [
    "cluster-stack diff nobody --to docker-scs-1-30-v1 --data DATA -n default --config EMPTY -o json",
    /There is no Cluster default\/nobody|knows no ClusterStacks/,
  ],
  [`cluster-stack diff nobody ${OWN} --to docker-scs-1-30-v1 --from RELEASES`, /no Cluster|knows no/],
  [`cluster-stack wait stack nobody ${OWN} --timeout 1ms`, /did not come to pass in time/],
];
/** Lines that write, in this order. */
export const STACK_WRITING: readonly Line[] = [
  ["cluster-stack create SOURCE --destination MADE --from RELEASES", /Release created: .*docker-scs-1-30-v1/],
  [
    "cluster-stack create SOURCE --destination MADE --mode custom --cluster-stack-version v0-a.1 --cluster-addon-version v0-a.2",
    /Release created: .*docker-scs-1-30-v0-a-1/,
  ],
  ["cluster-stack publish RELEASE --to PUBLIC", /Release published: .*public/],
];
/** Flags that no line here can hold, and where they are tried. */
export const STACK_ELSEWHERE: Readonly<Record<string, string>> = Object.fromEntries([
  ...["releases", "verify", "create", "publish"].flatMap((command) =>
    ["--token-file", "--username", "--password-file", "--plain-http", "--api"].map((flag) => [
      `${flag} of cluster-stack ${command}`,
      "functions/cluster-stacks/commands/source.test.ts",
    ]),
  ),
  ...["verify", "create", "publish", "diff"].map((command) => [
    `--helm of cluster-stack ${command}`,
    "needs a helm: functions/cluster-stacks/ports/charts/charts.real.test.ts",
  ]),
]);
