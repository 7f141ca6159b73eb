/** One component of a release: a ConfigMap, and the ClusterOperator that stands for it. */
export interface Component {
  readonly name: string;
  readonly level: string;
  /** Further manifests, by what follows `0000_<level>_<name>_` in their file's name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The versions that its ClusterOperator must report beside the release's. False: it has no ClusterOperator. */
  readonly operands?: Readonly<Record<string, string>> | false;
}

export const NAMESPACE = "demo";
const PROFILE = "include.release.openshift.io/self-managed-high-availability";

/** A manifest as YAML, with the annotation without which it belongs to nobody. */
export function manifest(
  apiVersion: string,
  kind: string,
  metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  },
  fields: object = {},
): string {
  const annotations = { [PROFILE]: "true", ...metadata.annotations };
  return JSON.stringify({ apiVersion, kind, metadata: { ...metadata, annotations }, ...fields });
}

export const configMap = (
  name: string,
  data: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
): string => manifest("v1", "ConfigMap", { name, namespace: NAMESPACE, annotations }, { data });

export const imageOf = (version: string): string => `reg.example/rel:${version}`;

/** The files of a release image. */
export function releaseFiles(
  version: string,
  components: readonly Component[],
): Readonly<Record<string, string>> {
  const files: Record<string, string> = {
    "release-manifests/release-metadata": JSON.stringify({ kind: "cincinnati-metadata-v0", version }),
    "release-manifests/image-references": JSON.stringify({
      apiVersion: "image.openshift.io/v1",
      kind: "ImageStream",
      metadata: { name: version },
    }),
    "release-manifests/0000_00_base_00_namespace.yaml": manifest("v1", "Namespace", { name: NAMESPACE }),
  };
  for (const { name, level, operands = {}, files: more = {} } of components) {
    const place = `release-manifests/0000_${level}_${name}`;
    files[`${place}_10_settings.yaml`] = configMap(`${name}-settings`, { version });
    for (const [file, text] of Object.entries(more)) files[`${place}_${file}.yaml`] = text;
    if (operands !== false)
      files[`${place}_90_operator.yaml`] = clusterOperator(name, { operator: version, ...operands });
  }
  return files;
}

const clusterOperator = (name: string, versions: Readonly<Record<string, string>>): string =>
  manifest(
    "config.openshift.io/v1",
    "ClusterOperator",
    { name },
    {
      spec: {},
      status: {
        versions: Object.entries(versions).map(([of, version]) => ({ name: of, version })),
        relatedObjects: [{ group: "", resource: "namespaces", name: NAMESPACE }],
      },
    },
  );
