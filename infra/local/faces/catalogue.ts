import { builtInTypes } from "../builtin/index.ts";
import type { Registry, ResourceType } from "../resource-type.ts";

/** Verbs of a resource where its type names none. */
const ALL_VERBS = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
] as const;
/** The same, in the order in which the real server lists them for custom resources. */
const CUSTOM_VERBS = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
] as const;
const READ_WRITE = ["get", "patch", "update"] as const;

/** A resource as discovery lists it, with its subresources. */
export interface Discovered {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly Subresource[];
}
export interface Subresource {
  readonly name: string;
  readonly kind: string;
  /** The group of the kind, where it is another one. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}
/** A group's version and what is in it. */
export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly Discovered[];
}
export interface DiscoveredGroup {
  readonly group: string;
  readonly versions: readonly DiscoveredVersion[];
}

const review = (kind: string, namespaced = false): Discovered => ({
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  kind,
  namespaced,
  verbs: ["create"],
  shortNames: [],
  categories: [],
  subresources: [],
});

/** Resources that are questions: nothing of them is stored. */
const questions: readonly DiscoveredGroup[] = [
  { group: "authentication.k8s.io", versions: [{ version: "v1", resources: [review("SelfSubjectReview")] }] },
  {
    group: "authorization.k8s.io",
    versions: [
      {
        version: "v1",
        resources: [
          review("LocalSubjectAccessReview", true),
          review("SelfSubjectAccessReview"),
          review("SelfSubjectRulesReview"),
          review("SubjectAccessReview"),
        ],
      },
    ],
  },
];

/** Subresources beside status and scale, by `group/plural`. */
const special: Readonly<Record<string, readonly Subresource[]>> = {
  "/namespaces": [{ name: "finalize", kind: "Namespace", verbs: ["update"] }],
  // kubectl drain looks for it here, and deletes past all budgets where it is missing.
  "/pods": [{ name: "eviction", kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] }],
  "/serviceaccounts": [
    { name: "token", kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] },
  ],
};

function discovered(type: ResourceType): Discovered {
  const { scale, status } = type.subresources;
  const subresources: Subresource[] = [
    ...(special[`${type.group}/${type.plural}`] ?? []),
    ...(scale === undefined
      ? []
      : [{ name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: READ_WRITE }]),
    ...(status ? [{ name: "status", kind: type.kind, verbs: READ_WRITE }] : []),
  ];
  const { plural, singular, kind, namespaced, shortNames, categories } = type;
  return {
    plural,
    singular,
    kind,
    namespaced,
    verbs: type.verbs ?? (type.custom ? CUSTOM_VERBS : ALL_VERBS),
    shortNames,
    categories,
    subresources,
  };
}

/** Everything that discovery tells, core group first. */
export function discover(registry: Registry): readonly DiscoveredGroup[] {
  const groups = registry.groups().map(({ group, versions }) => ({
    group,
    versions: versions.map((version) => ({
      version,
      resources: registry.list(group, version).map(discovered),
    })),
  }));
  const builtIn = new Set(builtInTypes.map((type) => type.group));
  const isOurs = ({ group }: DiscoveredGroup): boolean => group === "" || builtIn.has(group);
  return [...groups.filter(isOurs), ...questions, ...groups.filter((one) => !isOurs(one))];
}
