import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import type { Admitted } from "../../shared/function/slots.ts";
import type { System } from "../../shared/function/system.ts";
import { pausedFunctionsRules } from "../../shared/host/commands/index.ts";
import type { ClustersStatics } from "../../shared/kube/cluster-names.ts";
import { FORMER_NAMESPACE, HOME_NAMESPACE, PART_OF } from "../../shared/kube/home.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import {
  awaitedRulesOf,
  declaredClusters,
  executionRulesOf,
  FOLLOWS,
  labelledSecretRules,
  type PolicyRule,
  type Questioned,
  questionRules,
  rightsOf,
  rulesOf,
  SECRETS_BY_NAME,
  slotRulesOf,
  takeOverRulesOf,
} from "../../shared/runner/rights.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { isCustom } from "../watcher/kind-presence.ts";
import { EXTENSION_CONFIG, EXTENSION_CONFIGS, runtimeHooks } from "./extension-config.ts";
import { configurationResource, emptyConfigurations, WEBHOOKS_SECRET } from "./webhooks.ts";

/** The namespace of all of Reveille in a cluster. */
export const homeNamespace = "reveille";
export const partOf = PART_OF;
/** The watcher's Lease (infra/watcher). */
export const watcherLease = { namespace: HOME_NAMESPACE, name: "reveille-watcher" } as const;

/** The namespace of what all watchers and hosts of a cluster share: the Lease, and the names of paused functions. */
export const sharedNamespace = HOME_NAMESPACE;
/** The uid of kube-system names the cluster. */
export const clusterIdentity: PolicyRule = {
  apiGroups: [""],
  resources: ["namespaces"],
  resourceNames: ["kube-system"],
  verbs: ["get"],
};

/** The rights of one ServiceAccount. */
export interface Grant {
  /** The name of the ServiceAccount, and of its roles. */
  readonly account: string;
  readonly rules: readonly PolicyRule[];
  /** The namespace of the rights; undefined: all of them, and cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** The namespace of the account itself. */
  readonly accountNamespace: string;
  /** Tells several grants of one account apart: the end of the role's name. */
  readonly part?: string | undefined;
}

/** Rules that are alike but for their resources become one. */
export function mergedRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const alike = Map.groupBy(rules, ({ apiGroups, verbs, resourceNames }) =>
    JSON.stringify([apiGroups, verbs, resourceNames]),
  );
  return [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            ...first,
            resources: [...new Set([first, ...others].flatMap(({ resources }) => resources))].sort(),
          },
        ],
  );
}

/** True where a rule of a function is about a kind without a namespace: no Role can grant it. */
export const isClusterScoped = (rule: PolicyRule, declaration: FunctionDeclaration): boolean =>
  [...rightsOf(declaration).values()].some(
    ({ kind }) =>
      kind.scope === "Cluster" &&
      kind.clusters === undefined &&
      rule.apiGroups.includes(kind.group) &&
      rule.resources.some((resource) => resource.split("/")[0] === kind.plural),
  );

/** The kinds for which a function needs the whole cluster: it cannot be kept within a namespace. */
export const clusterKindsOf = (declaration: FunctionDeclaration): readonly string[] =>
  [...rightsOf(declaration).values()].flatMap(({ kind }) =>
    kind.scope === "Cluster" && kind.clusters === undefined ? [kind.kind] : [],
  );

/** The grants by which an account finds the Secrets of other clusters. */
const clusterGrants = (
  clusters: readonly ClustersStatics[],
  { account, accountNamespace }: Pick<Grant, "account" | "accountNamespace">,
  { follows }: { readonly follows: boolean },
): readonly Grant[] =>
  labelledSecretRules(clusters, { follows }).map(({ namespace, rule }) => ({
    account,
    accountNamespace,
    namespace,
    part: "clusters",
    rules: [rule],
  }));

/**
 * The rights of one function. With a namespace, rules of cluster-scoped kinds stay in a ClusterRole.
 * @param admitted what the configuration admits to its slots: a ClusterRole of its own each, since data may name any namespace
 */
export function functionGrants(
  declaration: FunctionDeclaration,
  namespace: string | undefined,
  admitted: ReadonlyMap<string, Admitted> = new Map(),
): readonly Grant[] {
  const account = `reveille-${declaration.name}`;
  const accountNamespace = namespace ?? homeNamespace;
  const rules = [
    ...rulesOf(declaration),
    ...executionRulesOf(declaration, admitted),
    ...takeOverRulesOf(declaration),
  ];
  const paused: Grant = {
    account,
    accountNamespace,
    namespace: sharedNamespace,
    part: "paused",
    rules: pausedFunctionsRules,
  };
  const formerly: Grant = { ...paused, namespace: FORMER_NAMESPACE };
  const clusters = clusterGrants(
    declaredClusters(declaration),
    { account, accountNamespace },
    { follows: false },
  );
  const slots = slotRulesOf(declaration, admitted).map(
    ({ slot, rules: of }): Grant => ({
      account,
      accountNamespace,
      namespace: undefined,
      part: slot,
      rules: of,
    }),
  );
  if (namespace === undefined)
    return [
      { account, accountNamespace, namespace, rules: mergedRules([...rules, clusterIdentity]) },
      ...slots,
      ...clusters,
      paused,
      formerly,
    ];
  const [wide, narrow] = [true, false].map((which) =>
    mergedRules(rules.filter((rule) => isClusterScoped(rule, declaration) === which)),
  );
  return [
    { account, accountNamespace, namespace, rules: narrow ?? [] },
    {
      account,
      accountNamespace,
      namespace: undefined,
      rules: mergedRules([...(wide ?? []), clusterIdentity]),
    },
    ...slots,
    ...clusters,
    paused,
    formerly,
  ];
}

/** The rule by which the watcher watches a kind. */
export const watchRule = ({ group, plural, labelSelector }: WatchedKind): PolicyRule => ({
  apiGroups: [group],
  resources: [plural],
  // Only with a selector a deletion may mean that the object lives on, which is looked up.
  verbs: labelSelector === undefined ? ["list", "watch"] : ["get", "list", "watch"],
});

/** The rules to tell the end of a kind, which deletes all of its objects, from the deletion of many. */
export const presenceRules = (kinds: readonly WatchedKind[]): readonly PolicyRule[] => {
  const names = kinds.filter(isCustom).map(({ group, plural }) => `${plural}.${group}`);
  return names.length === 0
    ? []
    : [
        {
          apiGroups: ["apiextensions.k8s.io"],
          resources: ["customresourcedefinitions"],
          resourceNames: names.sort(),
          verbs: ["get"],
        },
      ];
};

/** The Lease of the watchers. A name cannot be demanded of what is not there yet. */
export const leaseRules = (name: string): readonly PolicyRule[] => [
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    resourceNames: [name],
    verbs: ["get", "update", "watch"],
  },
];

/** The Lease where it lay before: a leader there is waited for. */
export const formerLeaseRules = (name: string): readonly PolicyRule[] => [
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    resourceNames: [name],
    verbs: ["get"],
  },
];

/**
 * The rights of the watcher: it reads what the watch list names, keeps its Lease, and asks who the cluster is.
 * @param admitted what the configuration admits to a function's slots: where its objects may be waited for, they are followed, in a
 * ClusterRole of its own, since data may name any namespace
 */
export function watcherGrants(
  functions: readonly FunctionDeclaration[],
  namespace: string | undefined,
  admitted: (declaration: FunctionDeclaration) => ReadonlyMap<string, Admitted> = () => new Map(),
): readonly Grant[] {
  const account = "reveille-watcher";
  const accountNamespace = namespace ?? homeNamespace;
  const { kinds } = watchListOf(functions);
  const rulesFor = (scopes: readonly string[]): readonly PolicyRule[] =>
    mergedRules(kinds.filter(({ scope }) => scopes.includes(scope)).map(watchRule));
  const lease: Grant = {
    account,
    accountNamespace,
    namespace: watcherLease.namespace,
    part: "lease",
    rules: leaseRules(watcherLease.name),
  };
  const formerly: Grant = {
    ...lease,
    namespace: FORMER_NAMESPACE,
    rules: formerLeaseRules(watcherLease.name),
  };
  const wide = [...presenceRules(kinds), clusterIdentity];
  const elsewhere = functions.flatMap(declaredClusters);
  const byName = elsewhere.some(({ secret }) => !("label" in secret)) ? [SECRETS_BY_NAME] : [];
  // Within namespaces that somebody named, they are followed as well.
  const followedByName = byName.map((rule) => ({ ...rule, verbs: FOLLOWS }));
  const clusters = clusterGrants(elsewhere, { account, accountNamespace }, { follows: true });
  const followed = mergedRules(functions.flatMap((one) => awaitedRulesOf(one, admitted(one))));
  const awaited: readonly Grant[] =
    followed.length === 0
      ? []
      : [{ account, accountNamespace, namespace: undefined, part: "awaited", rules: followed }];
  if (namespace === undefined)
    return [
      {
        account,
        accountNamespace,
        namespace,
        rules: [...rulesFor(["Namespaced", "Cluster"]), ...byName, ...wide],
      },
      ...awaited,
      ...clusters,
      lease,
      formerly,
    ];
  return [
    { account, accountNamespace, namespace, rules: [...rulesFor(["Namespaced"]), ...followedByName] },
    { account, accountNamespace, namespace: undefined, rules: [...rulesFor(["Cluster"]), ...wide] },
    ...awaited,
    ...clusters,
    lease,
    formerly,
  ];
}

/**
 * The rules to keep admissions and hooks registered: on their configurations alone, which whoever installs has made, and on the one
 * ExtensionConfig, which an apply may make under its name. Deterministic.
 */
export function registrationRules(systems: readonly System[]): readonly PolicyRule[] {
  const configurations = Map.groupBy(
    emptyConfigurations(systems),
    (one) => configurationResource(one).plural,
  );
  const webhooks = [...configurations].map(([plural, of]) => ({
    apiGroups: ["admissionregistration.k8s.io"],
    resources: [plural],
    resourceNames: of.map(({ metadata }) => metadata.name),
    verbs: ["patch"],
  }));
  const extensions: PolicyRule = {
    apiGroups: [EXTENSION_CONFIGS.group],
    resources: [EXTENSION_CONFIGS.plural],
    resourceNames: [EXTENSION_CONFIG],
    verbs: ["create", "patch"],
  };
  return runtimeHooks(systems).length === 0 ? webhooks : [...webhooks, extensions];
}

/** The rule to keep the certificate in its Secret. */
export const certificateRule = (secret: string): PolicyRule => ({
  apiGroups: [""],
  resources: ["secrets"],
  resourceNames: [secret],
  verbs: ["get", "patch"],
});

/**
 * The rights that admissions and hooks need: `serve` reads what they decide on and writes what hooks store, and the leading watcher keeps
 * them registered.
 */
export function admissionGrants(systems: readonly System[], namespace: string | undefined): readonly Grant[] {
  const questions: readonly Questioned[] = systems.flatMap(({ admissions, hooks }) => [
    ...admissions,
    ...hooks,
  ]);
  if (questions.length === 0) return [];
  const accountNamespace = namespace ?? homeNamespace;
  const rulesOfQuestions = (wide: boolean): readonly PolicyRule[] => {
    const isHere = ({ scope }: Kind): boolean => (scope === "Cluster") === wide;
    return mergedRules(
      questions.flatMap(({ reads, writes = [], verbs = {} }) =>
        questionRules({ reads: reads.filter(isHere), writes: writes.filter(isHere), verbs }),
      ),
    );
  };
  const serve = { account: "reveille-serve", accountNamespace };
  const watcher = { account: "reveille-watcher", accountNamespace, part: "webhooks" };
  const asked: readonly Grant[] =
    namespace === undefined
      ? [{ ...serve, namespace, rules: mergedRules([...rulesOfQuestions(false), ...rulesOfQuestions(true)]) }]
      : [
          { ...serve, namespace, rules: rulesOfQuestions(false) },
          { ...serve, namespace: undefined, rules: rulesOfQuestions(true) },
        ];
  const registers: Grant = { ...watcher, namespace: undefined, rules: registrationRules(systems) };
  return [
    ...[...asked, registers].filter(({ rules }) => rules.length > 0),
    { ...watcher, namespace: sharedNamespace, rules: [certificateRule(WEBHOOKS_SECRET)] },
  ];
}

/** True where hosts are to remember who beats. */
export const hearsBeats = ({ triggers }: Pick<System, "triggers">): boolean =>
  triggers.some(({ beats }) => beats !== undefined);

/** The rules to keep the Leases in which hosts say whom they hear: their names are new at each start. */
export const beatRules: readonly PolicyRule[] = [
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["create", "delete", "list", "patch"],
  },
];

/** The rights of `serve` where senders of a system's triggers beat. */
export const beatGrants = (systems: readonly System[], namespace: string | undefined): readonly Grant[] =>
  systems.some(hearsBeats)
    ? [
        {
          account: "reveille-serve",
          accountNamespace: namespace ?? homeNamespace,
          namespace: sharedNamespace,
          part: "beats",
          rules: beatRules,
        },
      ]
    : [];

/** ServiceAccounts, roles and bindings for some grants, as objects to apply. */
export function rbacObjects(grants: readonly Grant[]): readonly object[] {
  const accounts = new Map(grants.map((grant) => [`${grant.accountNamespace}/${grant.account}`, grant]));
  const needed = [homeNamespace, HOME_NAMESPACE].filter((name) =>
    grants.some(({ accountNamespace, namespace }) => accountNamespace === name || namespace === name),
  );
  return [
    ...needed.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: partOf } })),
    ...[...accounts.values()].map(({ account, accountNamespace }) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: account, namespace: accountNamespace, labels: partOf },
    })),
    ...grants.flatMap(({ account, accountNamespace, namespace, part, rules }) => {
      const wide = namespace === undefined;
      const whole = part === undefined ? account : `${account}-${part}`;
      const name = wide && accountNamespace !== homeNamespace ? `${whole}.${accountNamespace}` : whole;
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
