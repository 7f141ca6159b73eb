import { askedOf, listAll as listOf } from "../../../shared/function/asking.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";

export type AnInstance = Obj<typeof Instance>;
export type AVersion = Obj<typeof OperatorVersion>;
export type AnOperator = Obj<typeof Operator>;

/** The place of an object of these kinds. */
export interface At {
  readonly namespace: string;
  readonly name: string;
}

/** Runs a request; a cluster without the kinds is told how it gets them. */
export const asked = askedOf({
  code: "CLI_KUDO_KINDS_MISSING",
  kinds: "Instances",
  crds: "reveille kudo init",
});

const find = async <K extends Kind>(client: KubeClient, kind: K, at: At): Promise<Obj<K> | undefined> => {
  const raw = await asked(() => client.get(resourceOf(kind), at));
  return raw === undefined ? undefined : parseObject(kind, raw);
};

export const findInstance = (client: KubeClient, at: At): Promise<AnInstance | undefined> =>
  find(client, Instance, at);
export const findVersion = (client: KubeClient, at: At): Promise<AVersion | undefined> =>
  find(client, OperatorVersion, at);
export const findOperator = (client: KubeClient, at: At): Promise<AnOperator | undefined> =>
  find(client, Operator, at);

/** Reads an Instance; fails where there is none. */
export async function requireInstance(client: KubeClient, at: At): Promise<AnInstance> {
  const found = await findInstance(client, at);
  if (found === undefined)
    throw new CliError(
      "CLI_KUDO_NOT_FOUND",
      `Instance ${at.namespace}/${at.name} does not exist: \`reveille kudo get instances -n ${at.namespace}\` lists those that do.`,
    );
  return found;
}

/** Reads the OperatorVersion of an Instance; fails where there is none. */
export async function versionOf(client: KubeClient, { metadata, spec }: AnInstance): Promise<AVersion> {
  const { name = "", namespace = metadata.namespace } = spec?.operatorVersion ?? {};
  const found = await findVersion(client, { namespace, name });
  if (found === undefined)
    throw new CliError(
      "CLI_KUDO_NOT_FOUND",
      `OperatorVersion ${name} from instance ${metadata.namespace}/${metadata.name} does not exist: install the package once more with --skip-instance.`,
    );
  return found;
}

/** All objects of a kind in a namespace. */
export const listAll = <K extends Kind>(
  client: KubeClient,
  kind: K,
  namespace: string,
): Promise<readonly Obj<K>[]> => asked(() => listOf(client, kind, namespace));
