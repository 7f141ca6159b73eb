import {
  archiveNames,
  classArchive,
  metadataFile,
  packed,
  type ReleaseFiles,
} from "../decide/assets/test-release.ts";

type Texts = Readonly<Record<string, string>>;

/** A condition on a ConfigMap of kube-system, where an object is looked for that names no namespace: its data has that value at `ready`. */
export const onceReady = (map: string, field = "conditions"): string =>
  `{objects: [{key: it, apiVersion: v1, kind: ConfigMap, name: ${map}}], ${field}: 'it.data.ready == "yes"'}`;

/** A release whose addons are installed in stages. */
export interface Staged {
  /** The stages of each moment, in YAML as clusteraddon.yaml has them. */
  readonly stages: Texts;
  /** The ConfigMaps of each chart by their names, and a value in them. */
  readonly charts: Readonly<Record<string, Texts>>;
  /** More ConfigMaps of charts, which do not tell the version of Kubernetes. */
  readonly plain?: Readonly<Record<string, Texts>>;
  /** The values templates of charts. */
  readonly values?: Texts;
  readonly kubernetes?: string;
  readonly addon?: string;
}

const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`;
/** The ConfigMap that a chart of the tests brings. It comes out otherwise each time. */
const template = (name: string, value: string): string =>
  `${map(name, value)}  kubernetes: "{{ .Capabilities.KubeVersion.Version }}"\n  random: "{{ randAlphaNum 12 }}"\n`;

/** The files of a release whose addons are installed in stages. */
export async function stagedFiles(
  tag: string,
  { stages, charts, plain = {}, values = {}, kubernetes, addon }: Staged,
): Promise<ReleaseFiles> {
  const names = archiveNames(tag);
  const addonFile = addon === undefined ? names.addon : names.addon.replace(/-v[^-]*\.tgz$/, `-${addon}.tgz`);
  const files = Object.entries(charts).flatMap(([chart, maps]) => [
    [`${chart}/Chart.yaml`, `apiVersion: v2\nname: ${chart}\nversion: 0.1.0\n`] as const,
    ...Object.entries(maps).map(
      ([name, value]) => [`${chart}/templates/${name}.yaml`, template(name, value)] as const,
    ),
    ...Object.entries(plain[chart] ?? {}).map(
      ([name, value]) => [`${chart}/templates/${name}.yaml`, map(name, value)] as const,
    ),
    ...(values[chart] === undefined ? [] : [[`${chart}/overwrite.yaml`, values[chart]] as const]),
  ]);
  const config = Object.entries(stages).map(([hook, list]) => `  ${hook}:\n${list}`);
  return {
    "metadata.yaml": metadataFile(tag, {
      ...(kubernetes !== undefined && { kubernetes }),
      ...(addon !== undefined && { addon }),
    }),
    [names.cluster]: await classArchive(tag),
    [addonFile]: await packed(Object.fromEntries(files)),
    "clusteraddon.yaml": `apiVersion: clusteraddonconfig.x-k8s.io/v1alpha1\nclusterAddonVersion: clusteraddons.clusterstack.x-k8s.io/v1alpha1\naddonStages:\n${config.join("")}`,
  };
}
