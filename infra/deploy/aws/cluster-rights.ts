import { COMMANDS } from "../../../shared/function/commands.ts";
import type { System } from "../../../shared/function/system.ts";
import { commandRules } from "../../../shared/host/commands/index.ts";
import { admittedTo } from "../../../shared/host/configuration.ts";
import type { PolicyRule } from "../../../shared/runner/rights.ts";
import { functionsOf } from "../../systems/declared.ts";
import {
  clusterIdentity,
  functionGrants,
  type Grant,
  homeNamespace,
  mergedRules,
  rbacObjects,
  sharedNamespace,
  watcherGrants,
} from "../../systems/rbac.ts";

/** Commands annotate and look at what functions are keyed by, and keep the ConfigMap of pauses. */
function commandGrants(systems: readonly System[]): readonly Grant[] {
  const isPause = ({ resources }: PolicyRule): boolean => resources.includes("configmaps");
  const rules = commandRules(functionsOf(systems));
  const account = `reveille-${COMMANDS}`;
  const base = { account, accountNamespace: homeNamespace };
  return [
    {
      ...base,
      namespace: undefined,
      rules: mergedRules([...rules.filter((rule) => !isPause(rule)), clusterIdentity]),
    },
    { ...base, namespace: sharedNamespace, part: "pauses", rules: rules.filter(isPause) },
  ];
}

/** Settings of the Lambdas that decide what they need in the cluster. */
export interface RightsSettings {
  /** Empty: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Default: what each system's own defaults admit. */
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
}

/** Grants without doubles: those for the whole cluster come with each namespace. */
const onlyOnce = (grants: readonly Grant[]): readonly Grant[] => [
  ...new Map(grants.map((grant) => [`${grant.namespace} ${grant.part}`, grant])).values(),
];

/**
 * ServiceAccounts, roles and bindings. Each binding names the group of an EKS access entry beside the ServiceAccount, so that
 * the same rights hold by whichever way a Lambda signs in.
 */
export function clusterRights(
  systems: readonly System[],
  { namespaces = [], configuration }: RightsSettings = {},
): readonly object[] {
  const functions = functionsOf(systems);
  const admitted = admittedTo(systems, configuration);
  const objects = rbacObjects([
    ...watcherGrants(functions, undefined, admitted),
    ...functions.flatMap((declaration) => {
      const slots = admitted(declaration);
      if (namespaces.length === 0) return functionGrants(declaration, undefined, slots);
      const grants = namespaces.flatMap((namespace) => functionGrants(declaration, namespace, slots));
      return onlyOnce(grants.map((grant) => ({ ...grant, accountNamespace: homeNamespace })));
    }),
    ...commandGrants(systems),
  ]);
  return objects.map((object) => {
    const { subjects } = object as {
      readonly subjects?: readonly { readonly kind: string; readonly name: string }[];
    };
    if (subjects === undefined) return object;
    const groups = subjects.map(({ name }) => ({
      apiGroup: "rbac.authorization.k8s.io",
      kind: "Group",
      name,
    }));
    return { ...object, subjects: [...subjects, ...groups] };
  });
}
