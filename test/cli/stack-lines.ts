// Every flag of `reveille cluster-stack`, in lines that do what they say. What they print is tried beside the commands.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

/** Writes a release; gives back the words that stand for it and its folder. */
export async function stackWords(folder: string): Promise<Readonly<Record<string, string>>> {
  const releases = join(folder, "releases");
  mkdirSync(join(releases, TAG), { recursive: true });
  for (const [name, content] of Object.entries(await releaseFiles(TAG)))
    writeFileSync(join(releases, TAG, name), content);
  return { RELEASES: releases, RELEASE: join(releases, TAG), TAG };
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
/** Flags that no line here can hold, and where they are tried. */
export const STACK_ELSEWHERE: Readonly<Record<string, string>> = Object.fromEntries([
  ...["releases", "verify"].flatMap((command) =>
    ["--token-file", "--username", "--password-file", "--plain-http", "--api"].map((flag) => [
      `${flag} of cluster-stack ${command}`,
      "functions/cluster-stacks/commands/source.test.ts",
    ]),
  ),
  [
    "--helm of cluster-stack verify",
    "needs a helm: functions/cluster-stacks/ports/charts/charts.real.test.ts",
  ],
]);
