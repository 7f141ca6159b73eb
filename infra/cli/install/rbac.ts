import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import { type PolicyRule, rightsOf, rulesOf } from "../../../shared/function/rights.ts";
import { watchListOf } from "../../../shared/function/watch-list-of.ts";

/** Where everything of Reveille lives in a cluster. */
export const homeNamespace = "reveille";
/** By this label `uninstall` finds what it may remove. */
export const partOf = { "app.kubernetes.io/part-of": "reveille" } as const;
/** The watcher's Lease (infra/watcher). */
export const watcherLease = { namespace: "default", name: "reveille-watcher" } as const;

/** What one ServiceAccount may do. */
export interface Grant {
  /** Of the ServiceAccount, and of its roles. */
  readonly account: string;
  readonly rules: readonly PolicyRule[];
  /** In which namespace; undefined: in all of them, and for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** Where the account itself lives. */
  readonly accountNamespace: string;
}

/** Rules that are alike but for their resources become one. */
function merged(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const byVerbs = Map.groupBy(rules, ({ apiGroups, verbs }) => JSON.stringify([apiGroups, verbs]));
  return [...byVerbs.values()].map((alike) => ({
    apiGroups: alike[0]?.apiGroups ?? [],
    resources: [...new Set(alike.flatMap(({ resources }) => resources))].sort(),
    verbs: alike[0]?.verbs ?? [],
  }));
}

const isClusterScoped = (rule: PolicyRule, declaration: FunctionDeclaration): boolean =>
  [...rightsOf(declaration).values()].some(
    ({ kind }) =>
      kind.scope === "Cluster" &&
      rule.apiGroups.includes(kind.group) &&
      rule.resources.some((resource) => resource.split("/")[0] === kind.plural),
  );

/** The kinds for which a function needs the whole cluster: it cannot be kept within a namespace. */
export const clusterKindsOf = (declaration: FunctionDeclaration): readonly string[] =>
  [...rightsOf(declaration).values()].flatMap(({ kind }) => (kind.scope === "Cluster" ? [kind.kind] : []));

/** The rights of one function. With a namespace, rules of cluster-scoped kinds stay in a ClusterRole. */
export function functionGrants(
  declaration: FunctionDeclaration,
  namespace: string | undefined,
): readonly Grant[] {
  const account = `reveille-${declaration.name}`;
  const accountNamespace = namespace ?? homeNamespace;
  const rules = rulesOf(declaration);
  if (namespace === undefined) return [{ account, accountNamespace, namespace, rules: merged(rules) }];
  const [wide, narrow] = [true, false].map((which) =>
    merged(rules.filter((rule) => isClusterScoped(rule, declaration) === which)),
  );
  return [
    { account, accountNamespace, namespace, rules: narrow ?? [] },
    ...(wide === undefined || wide.length === 0
      ? []
      : [{ account, accountNamespace, namespace: undefined, rules: wide }]),
  ];
}

/** The rights of the watcher: it reads what the watch list names, keeps its Lease, and asks who the cluster is. */
export function watcherGrants(
  functions: readonly FunctionDeclaration[],
  namespace: string | undefined,
): readonly Grant[] {
  const account = "reveille-watcher";
  const accountNamespace = namespace ?? homeNamespace;
  const verbs = ["get", "list", "watch"];
  const { kinds } = watchListOf(functions);
  const rulesFor = (scopes: readonly string[]): readonly PolicyRule[] =>
    merged(
      kinds
        .filter(({ scope }) => scopes.includes(scope))
        .map(({ group, plural }) => ({ apiGroups: [group], resources: [plural], verbs })),
    );
  const lease: Grant = {
    account,
    accountNamespace,
    namespace: watcherLease.namespace,
    rules: [
      {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        verbs: ["create", "get", "patch", "update", "watch", "list"],
      },
    ],
  };
  // The uid of kube-system names the cluster.
  const identity: PolicyRule = { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] };
  if (namespace === undefined)
    return [
      {
        account,
        accountNamespace,
        namespace: undefined,
        rules: merged([...rulesFor(["Namespaced", "Cluster"]), identity]),
      },
      lease,
    ];
  return [
    { account, accountNamespace, namespace, rules: rulesFor(["Namespaced"]) },
    { account, accountNamespace, namespace: undefined, rules: [...rulesFor(["Cluster"]), identity] },
    lease,
  ];
}

/** ServiceAccounts, roles and bindings for some grants, as objects to apply. */
export function rbacObjects(grants: readonly Grant[]): readonly object[] {
  const accounts = new Map(grants.map((grant) => [`${grant.accountNamespace}/${grant.account}`, grant]));
  const needsHome = grants.some(({ accountNamespace }) => accountNamespace === homeNamespace);
  return [
    ...(needsHome
      ? [{ apiVersion: "v1", kind: "Namespace", metadata: { name: homeNamespace, labels: partOf } }]
      : []),
    ...[...accounts.values()].map(({ account, accountNamespace }) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: account, namespace: accountNamespace, labels: partOf },
    })),
    ...grants.flatMap(({ account, accountNamespace, namespace, rules }) => {
      const wide = namespace === undefined;
      const name = wide && accountNamespace !== homeNamespace ? `${account}.${accountNamespace}` : account;
      const metadata = { name, ...(wide ? {} : { namespace }), labels: partOf };
      const role = wide ? "ClusterRole" : "Role";
      return [
        { apiVersion: "rbac.authorization.k8s.io/v1", kind: role, metadata, rules },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: `${role}Binding`,
          metadata,
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: role, name },
          subjects: [{ kind: "ServiceAccount", name: account, namespace: accountNamespace }],
        },
      ];
    }),
  ];
}
