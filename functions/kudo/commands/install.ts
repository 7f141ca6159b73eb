import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { newestFirst } from "../../../shared/versions.ts";
import { defaultInstanceName, OPERATOR_LABEL, type PackageObjects } from "../decide/package/index.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";
import {
  type AnInstance,
  type At,
  type AVersion,
  findInstance,
  findOperator,
  findVersion,
  listAll,
} from "./read.ts";
import type { Resolved } from "./resolve.ts";
import { create } from "./write.ts";

type Say = (text: string) => void;
const API = "kudo.dev/v1beta1";

/** Creates Operator and OperatorVersion of a package and of its children, where they are not there yet. */
export async function installDefinitions(
  client: KubeClient,
  { objects, children }: Pick<Resolved, "objects" | "children">,
  namespace: string,
  tools: { readonly print: Say; readonly say: Say },
): Promise<AVersion> {
  for (const child of children) await installDefinition(client, child, namespace, tools);
  return installDefinition(client, objects, namespace, tools);
}

async function installDefinition(
  client: KubeClient,
  { operator, operatorVersion }: PackageObjects,
  namespace: string,
  { print, say }: { readonly print: Say; readonly say: Say },
): Promise<AVersion> {
  const place = (name: string) => ({ namespace, name });
  if ((await findOperator(client, place(operator.metadata.name))) === undefined) {
    await create(client, Operator, { ...operator, metadata: { ...operator.metadata, namespace } });
    print(`operator.${API}/${operator.metadata.name} created`);
  }
  const found = await storedVersion(client, operatorVersion, namespace, say);
  if (found !== undefined) return found;
  const { name } = operatorVersion.metadata;
  const created = await create(client, OperatorVersion, {
    ...operatorVersion,
    metadata: { ...operatorVersion.metadata, namespace },
  });
  print(`operatorversion.${API}/${name} created`);
  return created;
}

/** The OperatorVersion of a package's name that the cluster has already, which stays; one that differs is told of. */
export async function storedVersion(
  client: KubeClient,
  { metadata: { name }, spec }: PackageObjects["operatorVersion"],
  namespace: string,
  say: Say,
): Promise<AVersion | undefined> {
  const found = await findVersion(client, { namespace, name });
  if (found !== undefined && !sameJson(found.spec, spec))
    say(
      `warning: operatorversion.${API}/${name} is there and differs from the package; it stays as it is. Give a changed package another operatorVersion.`,
    );
  return found;
}

/** The object of a new Instance. */
export const instanceObject = (
  operator: string,
  version: string,
  name: string | undefined,
  namespace: string,
  parameters: Readonly<Record<string, string>>,
) => ({
  apiVersion: API,
  kind: "Instance",
  metadata: {
    name: name ?? defaultInstanceName(operator),
    namespace,
    labels: { [OPERATOR_LABEL]: operator },
  },
  spec: {
    operatorVersion: { name: version },
    ...(Object.keys(parameters).length > 0 && { parameters }),
  },
});

/** Creates an Instance that is not there yet. */
export async function installInstance(
  client: KubeClient,
  object: ReturnType<typeof instanceObject>,
  print: Say,
): Promise<AnInstance> {
  await refuseExisting(client, object.metadata);
  const created = await create(client, Instance, object);
  print(`instance.${API}/${object.metadata.name} created`);
  return created;
}

/** Refuses to install an Instance that is there. */
export async function refuseExisting(client: KubeClient, { namespace, name }: At): Promise<void> {
  if ((await findInstance(client, { namespace, name })) !== undefined)
    throw new CliError(
      "CLI_KUDO_EXISTS",
      `Instance ${namespace}/${name} is there already: change it with \`reveille kudo update\` or \`upgrade\`, or install another one with --instance NAME.`,
    );
}

/** Refuses parameters that the version needs and nobody gave, before anything is written. */
export function requireParameters(spec: AVersion["spec"], given: Readonly<Record<string, string>>): void {
  const known = spec?.parameters ?? [];
  const missing = known.flatMap(({ name = "", required, default: value }) =>
    required === true && value === undefined && !Object.hasOwn(given, name) ? [name] : [],
  );
  if (missing.length > 0)
    throw new UsageError(
      `missing required parameters during installation: ${missing.join(",")}; give each with -p NAME=VALUE.`,
    );
}

/** The newest OperatorVersion of an operator that is in the cluster, or the one that is named. */
export async function versionInCluster(
  client: KubeClient,
  namespace: string,
  operator: string,
  { operatorVersion, appVersion }: { readonly operatorVersion?: string; readonly appVersion?: string },
): Promise<AVersion> {
  const all = (await listAll(client, OperatorVersion, namespace)).filter(
    ({ spec }) =>
      spec?.operator?.name === operator &&
      (operatorVersion === undefined || spec.version === operatorVersion) &&
      (appVersion === undefined || spec.appVersion === appVersion),
  );
  const [found] = all.toSorted((one, other) =>
    newestFirst(one.spec?.version ?? "", other.spec?.version ?? ""),
  );
  if (found === undefined)
    throw new CliError(
      "CLI_KUDO_NOT_FOUND",
      `No OperatorVersion of operator ${operator} with ${operatorVersion ?? "any version"} is in namespace ${namespace}: install its package with --skip-instance.`,
    );
  return found;
}

/** Makes the namespace of an installation where there is none: as the package's manifest says, else a bare one. */
export async function installNamespace(
  client: KubeClient,
  namespace: string,
  manifest: KubeObject | undefined,
  print: Say,
): Promise<void> {
  if ((await client.get(resourceOf(Namespace), { name: namespace })) !== undefined) return;
  const { metadata, ...rest } = manifest ?? { apiVersion: "v1", kind: "Namespace", metadata: { name: "" } };
  await create(client, Namespace, {
    ...rest,
    metadata: {
      ...metadata,
      name: namespace,
      annotations: { ...metadata.annotations, "created-by": "kudo-cli" },
    },
  });
  print(`namespace.v1/${namespace} created`);
}
