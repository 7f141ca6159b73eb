import { isDeleting } from "../../../shared/kube/objects.ts";
import { LABELS } from "../kinds/index.ts";
import type { AManifest } from "./read.ts";

/** A module that is being removed, and what keeps it. */
export interface Blocked {
  readonly namespace: string;
  readonly manifest: string;
  readonly module: string;
  /** The cause that its status names. */
  readonly waits: string;
  /** A line to type with the runtime's kubeconfig, which shows the objects that keep it; undefined: none of users' do. */
  readonly show: string | undefined;
}

/** The modules of a Kyma that are being removed. Pure. */
export const blockedModules = (kyma: string, manifests: readonly AManifest[]): readonly Blocked[] =>
  manifests
    .filter((manifest) => isDeleting(manifest) && manifest.metadata.labels[LABELS.kymaName] === kyma)
    .map(({ metadata, spec, status }) => {
      const kind = spec?.resource && fullKind(spec.resource);
      return {
        namespace: metadata.namespace,
        manifest: metadata.name,
        module: metadata.labels[LABELS.moduleName] ?? metadata.name,
        waits: status?.lastOperation?.operation || "its removal has not begun yet",
        show: kind === undefined ? undefined : `kubectl get ${kind} --all-namespaces`,
      };
    });

/** A kind as kubectl takes it without knowing its plural: AlphaStore.v1.store.example.org. */
const fullKind = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string => {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return [kind, version, group].filter((part) => part).join(".");
};

/** The causes that keep modules, and the lines to type. */
export function blockersText(kyma: string, namespace: string, blocked: readonly Blocked[]): string {
  if (blocked.length === 0) return `No module of ${namespace}/${kyma} is being removed.`;
  const lines = blocked.flatMap(({ module, manifest, waits, show }) => [
    `${module} (Manifest ${manifest}) ${waits}`,
    ...(show === undefined ? [] : [`  see them in the runtime: ${show}`]),
  ]);
  return [
    ...lines,
    "Delete them there with `kubectl delete`, or keep the module: `reveille kyma module enable`. The kubeconfig of the runtime:",
    `  kubectl get secret -n ${namespace} -l ${LABELS.kymaName}=${kyma} -o jsonpath='{.items[0].data.config}' | base64 -d`,
  ].join("\n");
}
