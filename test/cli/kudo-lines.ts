// Every flag of `reveille kudo`, in lines that do what they say. Nobody runs plans here: that is tried beside the commands.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newPackage } from "../../functions/kudo/commands/new-package.ts";
import { Instance, Operator, OperatorVersion } from "../../functions/kudo/kinds/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/index.ts";

type Line = readonly [line: string, says: RegExp];

/** Writes two versions of a package and a file of parameters; gives back the words that stand for them. */
export function kudoWords(folder: string): Readonly<Record<string, string>> {
  for (const [name, version] of [
    ["package", "0.1.0"],
    ["newer", "0.2.0"],
  ] as const)
    for (const [file, text] of newPackage("web")) {
      const path = join(folder, name, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text.replace("0.1.0", version));
    }
  writeFileSync(join(folder, "values.yaml"), "REPLICAS: 2\n");
  return {
    PACKAGE: join(folder, "package"),
    NEWER: join(folder, "newer"),
    VALUES: join(folder, "values.yaml"),
    OUT: join(folder, "out"),
    TOLD: join(folder, "told"),
  };
}

/** Installs the kinds, which no function of this cluster brings. */
export async function installKudoKinds(client: KubeClient): Promise<void> {
  for (const kind of [Operator, OperatorVersion, Instance])
    await client.create(resourceOf(CustomResourceDefinition), { ...crdOf(kind) }, { fieldManager: "tester" });
}

const OWN = "--kubeconfig KUBECONFIG --context CONTEXT";
/** Lines that need no cluster. */
export const KUDO_READING: readonly Line[] = [
  ["kudo init --config EMPTY -o json", /"name": "instances\.kudo\.dev"/],
  ["kudo rbac PACKAGE -o yaml", /resources:\n +- deployments/],
  [
    "kudo package verify PACKAGE --param-checks type hint -o json",
    /"has no hint"|has no hint[\s\S]*"valid": true/,
  ],
  ["kudo package list plans PACKAGE --with-tasks-resources", /\[apply\] {2}app\n.*deployment\.yaml/],
  ["kudo package list plans PACKAGE -o yaml", /deploy:\n/],
  ["kudo package list tasks PACKAGE -o json", /"kind": "Apply"/],
  ["kudo package list parameters PACKAGE --descriptions --required", /Name\tDefault/],
  ["kudo package list parameters PACKAGE -o json", /"REPLICAS"/],
];
/** Lines that write, in this order. */
export const KUDO_WRITING: readonly Line[] = [
  ["kudo package new web --destination OUT", /operator\.yaml created/],
  ["kudo package new web --destination OUT --overwrite", /operator\.yaml created/],
  ["kudo package create PACKAGE --destination OUT", /Package created: .*web-0\.1\.0\.tgz/],
  ["kudo package create PACKAGE --destination OUT --overwrite", /Package created/],
  [
    "kudo install PACKAGE --data DATA -n default --skip-instance --create-namespace --wait --wait-time 1",
    /operatorversion\.kudo\.dev\/v1beta1\/web-0\.1\.0 created/,
  ],
  [
    `kudo install web ${OWN} --in-cluster --operator-version 0.1.0 --instance garden -p REPLICAS=1 -P VALUES`,
    /instance\.kudo\.dev\/v1beta1\/garden created/,
  ],
  ["kudo install PACKAGE --data DATA --instance other --dry-run", /Plan deploy would start/],
  [
    "kudo update --instance garden --data DATA -n default -p REPLICAS=3 -P VALUES --dry-run --wait --wait-time 1",
    /Plan deploy would start|No plan would start/,
  ],
  [`kudo update --instance garden ${OWN} -p REPLICAS=3`, /Instance garden was updated/],
  [
    "kudo upgrade NEWER --instance garden --data DATA -n default -p REPLICAS=4 -P VALUES --dry-run --wait --wait-time 1",
    /Plan deploy would start/,
  ],
  [`kudo upgrade NEWER --instance garden ${OWN}`, /instance\.kudo\.dev\/v1beta1\/garden updated/],
  ["kudo plan status --instance garden --data DATA -n default --wait --wait-time 1", /No plan ever run/],
  [`kudo plan status --instance garden ${OWN} -o json`, /"operatorVersion": "web-0\.2\.0"/],
  ["kudo plan history --instance garden --data DATA -n default -o json", /\{\}/],
  [`kudo plan history --instance garden ${OWN}`, /\./],
  [
    "kudo plan trigger --name deploy --instance garden --data DATA -n default --force",
    /Triggered deploy plan/,
  ],
  [`kudo plan trigger --name deploy --instance garden ${OWN}`, /Triggered deploy plan/],
  ["kudo plan cancel --instance garden --data DATA -n default", /Gave up the plan/],
  [`kudo plan cancel --instance garden ${OWN}`, /Gave up the plan/],
  ["kudo get all --data DATA -n default", /web-0\.1\.0[\s\S]*garden/],
  [`kudo get instances ${OWN} -o yaml`, /name: garden/],
  ["kudo diagnostics --instance garden --data DATA -n default --destination TOLD", /instance_garden\.yaml/],
  [`kudo diagnostics --instance garden ${OWN} --destination TOLD --overwrite`, /instance_garden\.yaml/],
  [
    "kudo uninstall --instance garden --data DATA -n default --wait --wait-time 60",
    /instance\.kudo\.dev\/v1beta1\/garden deleted/,
  ],
  [`kudo install web ${OWN} --in-cluster --instance garden`, /instance\.kudo\.dev\/v1beta1\/garden created/],
  [`kudo uninstall --instance garden ${OWN}`, /instance\.kudo\.dev\/v1beta1\/garden deleted/],
];
/** Lines that answer why they do nothing. */
export const KUDO_REFUSING: readonly Line[] = [
  ["kudo repo", /There are no repositories of packages/],
  ["kudo search", /There are no repositories of packages/],
  ["kudo test", /Step folders are run by kuttl/],
];
/** Flags that no line here can hold, and where they are tried. */
export const KUDO_ELSEWHERE: Readonly<Record<string, string>> = Object.fromEntries(
  ["--app-version of kudo install", "--wait of kudo plan trigger", "--wait-time of kudo plan trigger"].map(
    (flag) => [flag, "functions/kudo/commands/commands.test.ts"],
  ),
);
