import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { Admitted } from "../../../shared/function/slots.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { functionGrants, watcherGrants } from "../../systems/rbac.ts";

/** One right that is asked about. */
export interface NeededRight {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespace: string | undefined;
  /** Absent: any object. */
  readonly name?: string | undefined;
}

/** Everything that these functions and their watcher need, each once. */
export function neededRights(
  functions: readonly FunctionDeclaration[],
  namespace: string | undefined,
  admitted: (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted> = () => new Map(),
): readonly NeededRight[] {
  const grants = [
    ...watcherGrants(functions, namespace, admitted),
    ...functions.flatMap((declaration) => functionGrants(declaration, namespace, admitted(declaration))),
  ];
  const rights = new Map<string, NeededRight>();
  for (const { rules, namespace: where } of grants)
    for (const { apiGroups, resources, resourceNames, verbs } of rules)
      for (const group of apiGroups)
        for (const resource of resources)
          for (const verb of verbs)
            for (const name of resourceNames ?? [undefined]) {
              const right = { group, resource, verb, namespace: where, ...(name !== undefined && { name }) };
              rights.set(JSON.stringify(right), right);
            }
  return [...rights.values()];
}

const AT_ONCE = 8;

/** The rights that our account lacks, by SelfSubjectAccessReview. Throws a `KubeError`. */
export async function missingRights(
  client: KubeClient,
  needed: readonly NeededRight[],
): Promise<readonly NeededRight[]> {
  const missing: NeededRight[] = [];
  const queue = [...needed];
  const ask = async (): Promise<void> => {
    for (let right = queue.shift(); right !== undefined; right = queue.shift())
      if (!(await isAllowed(client, right))) missing.push(right);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return missing.sort((a, b) => describeRight(a).localeCompare(describeRight(b)));
}

async function isAllowed(client: KubeClient, right: NeededRight): Promise<boolean> {
  const [resource, subresource] = right.resource.split("/");
  const answer = (await client.raw("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: {
        resourceAttributes: {
          group: right.group,
          resource,
          verb: right.verb,
          ...(subresource === undefined ? {} : { subresource }),
          ...(right.namespace === undefined ? {} : { namespace: right.namespace }),
          ...(right.name === undefined ? {} : { name: right.name }),
        },
      },
    },
  })) as { readonly status?: { readonly allowed?: boolean } };
  return answer.status?.allowed === true;
}

/** `patch deployments.apps in team-a`. */
export const describeRight = ({ group, resource, verb, namespace, name }: NeededRight): string =>
  `${verb} ${resource}${group === "" ? "" : `.${group}`}${name === undefined ? "" : `/${name}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
