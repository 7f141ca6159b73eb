import { listAll } from "../../../../shared/function/asking.ts";
import { CliError } from "../../../../shared/function/command-errors.ts";
import { whereKnown } from "../../../../shared/function/known.ts";
import type { KubeClient } from "../../../../shared/kube/client.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../../shared/kube/kind.ts";
import { Namespace } from "../../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { Kyma, LABELS, ModuleReleaseMeta, ModuleTemplate } from "../../kinds/index.ts";
import { isOf, type Written } from "../written.ts";

/** The field manager under which a catalog and a Kyma are written: what it wrote and no file holds any more is taken away. */
export const FIELD_MANAGER = "reveille-kyma-run";
const BY = { fieldManager: FIELD_MANAGER, force: true } as const;
const CATALOG_KINDS = [ModuleTemplate, ModuleReleaseMeta];

/** The place of a Kyma. */
export interface KymaPlace {
  readonly name: string;
  readonly namespace: string;
}

/** Refuses a cluster where other Kymas stand: their modules would be installed there as well. Throws a `CliError`. */
export async function refuseOtherKymas(client: KubeClient, place: KymaPlace): Promise<void> {
  for (const { metadata } of await whereKnown(() => listAll(client, Kyma))) {
    const found = `${metadata.namespace}/${metadata.name}`;
    if (metadata.labels[LABELS.watchedBy] !== undefined)
      throw new CliError(
        "CLI_KYMA_CLUSTER_TAKEN",
        `This cluster is a runtime: a control plane looks after its Kyma ${found}. Have its modules changed there, with \`reveille kyma module\`.`,
      );
    if (found !== `${place.namespace}/${place.name}`)
      throw new CliError(
        "CLI_KYMA_CLUSTER_TAKEN",
        `This cluster holds the Kyma ${found}, whose modules would be installed here as well: name another cluster with --kubeconfig or --context, or ${place.namespace}/${place.name} as that one is named.`,
      );
  }
}

/** Writes a catalog and a Kyma, and takes away what was written of the catalog before and is there no longer. Throws a `CliError` that names the document. */
export async function writeAll(
  client: KubeClient,
  {
    catalog,
    kyma,
    file,
    place,
  }: {
    readonly catalog: readonly Written[];
    readonly kyma: KubeObject;
    readonly file: string;
    readonly place: KymaPlace;
  },
): Promise<void> {
  const { namespace } = place;
  await ensureNamespace(client, namespace);
  for (const kind of CATALOG_KINDS) {
    const wanted = catalog.filter((one) => isOf(kind, one));
    for (const { object, place: from } of wanted) await write(client, kind, object, namespace, from);
    await takeAway(client, kind, namespace, new Set(wanted.map(({ object }) => object.metadata.name)));
  }
  await write(client, Kyma, kyma, namespace, file);
}

async function write(
  client: KubeClient,
  kind: Kind,
  { apiVersion, kind: named, metadata, spec }: KubeObject,
  namespace: string,
  from: string,
): Promise<void> {
  const { name, labels, annotations } = metadata;
  const body = {
    apiVersion,
    kind: named,
    metadata: { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) },
    ...(spec !== undefined && { spec }),
  };
  try {
    await client.apply(resourceOf(kind), { name, namespace }, body, BY);
  } catch (thrown) {
    if (!(thrown instanceof KubeError) || thrown.kind !== "invalid") throw thrown;
    throw new CliError(
      "CLI_KYMA_REFUSED",
      `${from}: the server refuses ${named} ${name}: ${thrown.message}`,
      {
        cause: thrown,
      },
    );
  }
}

/** Deletes the objects of a catalog that a run before wrote. Those of others stay. */
async function takeAway(
  client: KubeClient,
  kind: Kind,
  namespace: string,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const { items } = await client.list(resourceOf(kind), { namespace });
  for (const { metadata } of items) {
    const isOurs = metadata.managedFields?.some(
      ({ manager, operation }) => manager === FIELD_MANAGER && operation === "Apply",
    );
    if (isOurs !== true || wanted.has(metadata.name)) continue;
    await client.delete(resourceOf(kind), { name: metadata.name, namespace }, { uid: metadata.uid });
  }
}

async function ensureNamespace(client: KubeClient, name: string): Promise<void> {
  const resource = resourceOf(Namespace);
  if ((await client.get(resource, { name })) !== undefined) return;
  await client.apply(resource, { name }, { apiVersion: "v1", kind: "Namespace", metadata: { name } }, BY);
}
