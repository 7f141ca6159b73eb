// Every flag of `reveille kyma`, in lines that do what they say. What they print is tried beside the commands.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Kyma,
  KymaPolicy,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
} from "../../functions/kyma/kinds/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/index.ts";

const SAMPLES = join(import.meta.dirname, "../../functions/kyma/samples");

type Line = readonly [line: string, says: RegExp];

/** Writes a maintenance policy and a KymaPolicy; gives back the words that stand for them. */
export function kymaWords(folder: string): Readonly<Record<string, string>> {
  const [windows, rules] = [join(folder, "windows.json"), join(folder, "rules.yaml")];
  writeFileSync(windows, '{"default":{"days":["Sat"],"begin":"22:00:00Z","end":"02:00:00Z"}}');
  writeFileSync(
    rules,
    "apiVersion: reveille.dev/v1alpha1\nkind: KymaPolicy\nmetadata: {name: audited}\nspec: {enforce: [{module: audit}]}\n",
  );
  return {
    WINDOWS: windows,
    RULES: rules,
    CATALOG: join(SAMPLES, "01-catalog.yaml"),
    COMPONENTS: join(SAMPLES, "components"),
    SAMPLES,
    GARDEN: join(SAMPLES, "02-kyma.yaml"),
    PACKED: join(folder, "packed"),
  };
}

/** Installs the kinds, which no function of this cluster brings, and a Kyma. */
export async function installKyma(client: KubeClient): Promise<void> {
  for (const kind of [Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate])
    await client.create(resourceOf(CustomResourceDefinition), { ...crdOf(kind) }, { fieldManager: "tester" });
  const kyma = {
    apiVersion: `${Kyma.group}/${Kyma.version}`,
    kind: Kyma.kind,
    metadata: { name: "default", namespace: "default" },
    spec: { channel: "regular" },
  };
  await client.create(resourceOf(Kyma), kyma, { fieldManager: "tester" });
}

const OWN = "--kubeconfig KUBECONFIG --context CONTEXT";
/** Lines that only read. */
export const KYMA_READING: readonly Line[] = [
  ["kyma module catalog --data DATA -n default --config EMPTY", /The catalog is empty/],
  [`kyma module catalog ${OWN} --kyma default -o json`, /\[\]/],
  ["kyma module list --data DATA -n default", /default\/default: not looked at yet, channel regular/],
  [`kyma module list ${OWN} --kyma default -o json`, /"channel": "regular"/],
  ["kyma windows --data DATA -n default --config EMPTY --file WINDOWS", /default +default +(open|closed)/],
  [`kyma windows ${OWN} --kyma default -o json`, /there is no maintenance policy/],
  [`kyma windows ${OWN} --data SAMPLED`, /there is no maintenance policy/],
  ["kyma policy check RULES --data DATA -n default --dry-run", /It gets audit/],
  ["kyma lint CATALOG --folder COMPONENTS -o json", /"module": "greeter"/],
  ["kyma lint CATALOG --folder COMPONENTS --data DATA --config EMPTY", /5 versions were judged/],
  [
    "kyma pack RULES --component acme.com/mods/rules --version 1.0.0 --into PACKED --image registry.example.org/rules:1",
    /^acme\.com\/mods\/rules:1\.0\.0 lies in .*packed: 1 objects, sha256:/,
  ],
  ["kyma runtimes --data DATA -n default", /default +default +not looked at yet/],
  [`kyma runtimes ${OWN} -o json`, /"kyma": "default"/],
  ["kyma blockers default --data DATA -n default", /No module of default\/default is being removed/],
  [`kyma blockers default ${OWN} -o json`, /\[\]/],
  [`kyma policy check RULES ${OWN} --kyma default -o json`, /"unchanged": 0/],
];
/** Lines that write, in this order. */
export const KYMA_WRITING: readonly Line[] = [
  ["kyma module enable mesh-core --data DATA -n default --channel fast", /mesh-core is to be installed from/],
  [
    `kyma module enable mesh-core ${OWN} --kyma default --version 1.0.0 --custom-resource-policy Ignore`,
    /is to be installed in version 1\.0\.0/,
  ],
  ["kyma module unmanage mesh-core --data DATA -n default --kyma default", /is to be left alone/],
  [`kyma module unmanage mesh-core ${OWN}`, /was already left alone/],
  ["kyma module status mesh-core --data DATA -n default --kyma default", /Nothing is installed for it/],
  [`kyma module status mesh-core ${OWN} -o json`, /"module": "mesh-core"/],
  ["kyma module manage mesh-core --data DATA -n default --kyma default", /is to be looked after/],
  [`kyma module manage mesh-core ${OWN}`, /was already looked after/],
  ["kyma module disable mesh-core --data DATA -n default --kyma default", /is to be removed/],
  [`kyma module disable mesh-core ${OWN}`, /was already removed/],
];
/** Lines that end with 1, and why. */
export const KYMA_REFUSING: readonly Line[] = [
  // What it does to what is being deleted: functions/kyma/commands/force/force-delete.test.ts.
  ["kyma force-delete default --data DATA -n default", /default\/default is not being deleted: force is for/],
  [
    `kyma force-delete default mesh-core ${OWN} --confirm x --reason because -o json`,
    /Nothing is installed for the module mesh-core/,
  ],
  // The cluster is another Kyma's already. What it does in one of its own: functions/kyma/commands/run/run.long.test.ts.
  [
    `kyma run ${OWN} --catalog SAMPLES --file GARDEN --config EMPTY --timeout 1m --yes -o json`,
    /This cluster holds the Kyma default\/default/,
  ],
  // It goes on until it is told to end: functions/kyma/ports/runtime-watcher/runtime-watcher.test.ts.
  [
    "kyma runtime-watcher --control-plane example.org --certificate NOWHERE --key RULES --authorities RULES --manager m --beat 60 --queue OUT --port 8443 --metrics-port 2112",
    /NOWHERE cannot be read/,
  ],
];
