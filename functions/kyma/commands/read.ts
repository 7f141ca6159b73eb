import { listAll } from "../../../shared/function/asking.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { whereKnown } from "../../../shared/function/known.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { storedSpec } from "../decide/modules/index.ts";
import {
  ANNOTATIONS,
  Kyma,
  KymaPolicy,
  type KymaSpec,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
} from "../kinds/index.ts";

export type AKyma = Obj<typeof Kyma>;
export type AManifest = Obj<typeof Manifest>;
export type APolicy = Obj<typeof KymaPolicy>;

/** The releases and templates of a namespace. */
export interface StoredCatalog {
  readonly releases: readonly Obj<typeof ModuleReleaseMeta>[];
  readonly templates: readonly Obj<typeof ModuleTemplate>[];
}

/** Runs a request; a cluster without the kinds is told how it gets them. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "kindMissing")
      throw new CliError(
        "CLI_KYMA_KINDS_MISSING",
        "This cluster knows no Kymas: install the CRDs (`reveille crds --systems kyma | kubectl apply --server-side -f -`), or name another cluster with --kubeconfig or --context.",
        { cause: thrown },
      );
    throw thrown;
  }
}

/** A name that an object may have. */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Reads a Kyma; undefined where there is none. @throws UsageError for a text that none can be called */
export async function findKyma(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<AKyma | undefined> {
  if (!NAME.test(name))
    throw new UsageError(
      `${JSON.stringify(name)} names no Kyma: write its name alone (\`kubectl get kymas -A\` lists them).`,
    );
  const raw = await asked(() => client.get(resourceOf(Kyma), { namespace, name }));
  return raw && parseObject(Kyma, raw);
}

/** Reads a Kyma. @throws CliError where there is none */
export async function requireKyma(client: KubeClient, namespace: string, name: string): Promise<AKyma> {
  const found = await findKyma(client, namespace, name);
  if (found === undefined)
    throw new CliError(
      "CLI_KYMA_MISSING",
      `There is no Kyma ${namespace}/${name}: name another one with --kyma and -n (\`kubectl get kymas -A\` lists them; in a runtime it is kyma-system/default).`,
    );
  return found;
}

/** The spec of a Kyma that counts: what its user wrote in the runtime, as far as it was accepted, else its own. */
export const countedSpec = ({ metadata, spec }: Pick<AKyma, "metadata" | "spec">): KymaSpec | undefined =>
  storedSpec(metadata.annotations[ANNOTATIONS.acceptedSpec]) ?? spec;

/** True where a Kyma's user speaks in the runtime: wishes in its own spec are read by nobody. */
export const speaksInRuntime = ({ metadata }: Pick<AKyma, "metadata">): boolean =>
  metadata.annotations[ANNOTATIONS.userSpec] !== undefined;

/** The beginning of what a Kyma says that is being deleted and whose runtime does not answer. */
export const AWAY = "It waits for its runtime,";

/** The line to type that prints the kubeconfig of a Kyma's runtime. */
export const kubeconfigLine = (namespace: string, kyma: string): string =>
  `kubectl get secret -n ${namespace} -l ${LABELS.kymaName}=${kyma} -o jsonpath='{.items[0].data.config}' | base64 -d`;

/** The sentence where a namespace has none. */
export const noKyma = (namespace: string): string =>
  `There is no Kyma in the namespace ${namespace}. Name another one with -n (\`kubectl get kymas -A\` lists them).`;

/** All Kymas of a namespace. */
export const kymasOf = (client: KubeClient, namespace: string): Promise<readonly AKyma[]> =>
  asked(() => listAll(client, Kyma, namespace));

/** All Manifests of a namespace; none where the cluster has no such kind, as a runtime has none. */
export const manifestsOf = (client: KubeClient, namespace: string): Promise<readonly AManifest[]> =>
  whereKnown(() => listAll(client, Manifest, namespace));

/** All policies of a namespace; none where the cluster has no such kind. */
export const policiesOf = (client: KubeClient, namespace: string): Promise<readonly APolicy[]> =>
  whereKnown(() => listAll(client, KymaPolicy, namespace));

/** The catalog of a namespace. */
export async function catalogOf(client: KubeClient, namespace: string): Promise<StoredCatalog> {
  const [releases, templates] = await Promise.all([
    asked(() => listAll(client, ModuleReleaseMeta, namespace)),
    asked(() => listAll(client, ModuleTemplate, namespace)),
  ]);
  return { releases, templates };
}
