import { packFiles } from "../../../../shared/archive/index.ts";
import { classOf, dottedText, type ReleaseName, releaseOfTag, stemOf } from "../names/index.ts";

/** The files of a release by name. */
export type ReleaseFiles = Readonly<Record<string, string | Uint8Array>>;
type Texts = Readonly<Record<string, string>>;

/** A .tgz of texts by their paths. */
export const packed = (files: Texts): Promise<Uint8Array> =>
  packFiles(new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])));

/** Reads the name of a release that is one. */
export function releaseNamed(tag: string): ReleaseName {
  const name = releaseOfTag(tag);
  if (name === undefined) throw new TypeError(`${tag} is no name of a release`);
  return name;
}

/** The metadata.yaml of a release. */
export const metadataFile = (
  tag: string,
  {
    kubernetes,
    addon,
    stack,
  }: { readonly kubernetes?: string; readonly addon?: string; readonly stack?: string } = {},
): string => {
  const name = releaseNamed(tag);
  const version = dottedText(name.version);
  return `apiVersion: metadata.clusterstack.x-k8s.io/v1alpha1
versions:
  clusterStack: ${stack ?? version}
  kubernetes: ${kubernetes ?? `v${name.kubernetes}.3`}
  components:
    clusterAddon: ${addon ?? version}
`;
};

const chartFile = (name: string, version: string): string =>
  `apiVersion: v2\nname: ${name}\nversion: ${version}\n`;

/** A chart of a ClusterClass with the templates that it names, which come first in it. */
const CLASS_TEMPLATES: Texts = {
  "templates/cluster-class.yaml": `apiVersion: cluster.x-k8s.io/v1beta1
kind: ClusterClass
metadata:
  name: {{ .Release.Name }}-{{ .Chart.Version }}
  namespace: {{ .Release.Namespace }}
spec:
  infrastructure:
    ref:
      apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
      kind: DockerClusterTemplate
      name: {{ .Release.Name }}-{{ .Chart.Version }}-cluster
`,
  "templates/docker-cluster-template.yaml": `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: DockerClusterTemplate
metadata:
  name: {{ .Release.Name }}-{{ .Chart.Version }}-cluster
spec:
  template:
    spec: {}
`,
};

/** The archive of a release's ClusterClass. `version`: the one of the chart. */
export function classArchive(
  tag: string,
  { templates = CLASS_TEMPLATES, version }: { readonly templates?: Texts; readonly version?: string } = {},
): Promise<Uint8Array> {
  const name = releaseNamed(tag);
  const folder = `${stemOf(name)}-cluster-class`;
  const files = {
    "Chart.yaml": chartFile(folder, version ?? dottedText(name.version)),
    "values.yaml": "",
    ...templates,
  };
  return packed(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])));
}

/** An archive of charts for addons, a folder each. */
export const addonArchive = (...charts: readonly string[]): Promise<Uint8Array> =>
  packed(
    Object.fromEntries(
      charts.flatMap((chart) => [
        [`${chart}/Chart.yaml`, chartFile(chart, "0.1.0")],
        [`${chart}/templates/all.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${chart}\n`],
      ]),
    ),
  );

/** The names of a release's archives. */
export const archiveNames = (tag: string) => {
  const name = releaseNamed(tag);
  const version = dottedText(name.version);
  return {
    cluster: `${stemOf(name)}-cluster-class-${version}.tgz`,
    addon: `${stemOf(name)}-cluster-addon-${version}.tgz`,
    class: classOf(name),
  };
};

/** The addons of a single-stage release. */
export interface TestAddons {
  /** The version of its addons. Default: the release's own. */
  readonly addon?: string;
  /** The templates of their chart by their paths in it. */
  readonly addons?: Texts;
  /** The template of its values. */
  readonly values?: string;
}

/** A whole single-stage release. */
export async function releaseFiles(
  tag: string,
  options: Parameters<typeof classArchive>[1] & Parameters<typeof metadataFile>[1] & TestAddons = {},
): Promise<ReleaseFiles> {
  const { cluster } = archiveNames(tag);
  const { addons, values, addon = dottedText(releaseNamed(tag).version) } = options;
  return {
    "metadata.yaml": metadataFile(tag, options),
    [cluster]: await classArchive(tag, options.templates && { templates: options.templates }),
    [`${stemOf(releaseNamed(tag))}-cluster-addon-${addon}.tgz`]:
      addons === undefined
        ? await addonArchive("addons")
        : await packed({ "addons/Chart.yaml": chartFile("addons", "0.1.0"), ...inFolder("addons", addons) }),
    "cluster-addon-values.yaml": values ?? "values: |\n  replicas: 1\n",
  };
}

const inFolder = (folder: string, files: Texts): Texts =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
