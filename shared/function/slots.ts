import type { Kind, Slot } from "../kube/kind.ts";
import type { Segments } from "../kube/paths.ts";
import { valueAt } from "../kube/paths.ts";
import type { FunctionDeclaration, PolicyRule, Verb } from "./declaration.ts";

/**
 * The resources that a slot admits, each as kubectl names them: `deployments.apps`, `configmaps`, `*.apps` (a group), `*.` (the
 * core group), `*` (all); `secrets/acme`: objects of that name alone, in any namespace, which can be read and not written.
 */
export type Admitted = readonly string[];

/** The resources that the configuration admits to the slots of a system, by slot; a slot that it does not name admits none. */
export function admittedBy(
  admits: Readonly<Record<string, Segments>>,
  configuration: unknown,
): ReadonlyMap<string, Admitted> {
  return new Map(
    Object.entries(admits).map(([slot, path]) => {
      const named = valueAt(configuration, path);
      return [slot, Array.isArray(named) ? named.map(String) : []];
    }),
  );
}

interface Pattern {
  readonly group: string;
  readonly resource: string;
  /** The one name that is admitted; undefined: all. */
  readonly name: string | undefined;
}
function patternOf(text: string): Pattern {
  const slash = text.indexOf("/");
  const [kind, name] = slash < 0 ? [text, undefined] : [text.slice(0, slash), text.slice(slash + 1)];
  if (kind === "*") return { group: "*", resource: "*", name };
  const dot = kind.indexOf(".");
  return dot < 0
    ? { group: "", resource: kind, name }
    : { group: kind.slice(dot + 1), resource: kind.slice(0, dot), name };
}
const covers = (pattern: Pattern, group: string, resource: string): boolean =>
  (pattern.group === "*" || pattern.group === group) &&
  (pattern.resource === "*" || pattern.resource === resource);

/** True where one of the admitted names covers the resource, and the name of the object where it is about one. */
export const isAdmitted = (
  admitted: Admitted,
  { group, plural }: { readonly group: string; readonly plural: string },
  name?: string,
): boolean =>
  admitted
    .map(patternOf)
    .some((pattern) => covers(pattern, group, plural) && [undefined, name].includes(pattern.name));

/** True where one of the admitted names may cover a kind of this group whose resource nobody knows yet. */
export const mayAdmit = (admitted: Admitted, group: string): boolean =>
  admitted.some((text) => ["*", group].includes(patternOf(text).group));

/** The slots of a function at home whose objects may be waited for, each once. */
export const awaitedSlots = ({
  reads,
  writes,
}: Pick<FunctionDeclaration, "reads" | "writes">): readonly string[] => [
  ...new Set(
    [...reads, ...writes].flatMap((one) =>
      "unwatched" in one && "awaited" in one && one.kind.clusters === undefined ? [one.id] : [],
    ),
  ),
];

/** The kinds and slots of other clusters whose objects may be waited for. */
export const awaitedElsewhere = ({
  reads,
  writes,
}: Pick<FunctionDeclaration, "reads" | "writes">): readonly Kind[] =>
  [...reads, ...writes].flatMap((one) =>
    "unwatched" in one && "awaited" in one && one.kind.clusters !== undefined ? [one.kind] : [],
  );

/** The resources of the core group, but Secrets. */
const CORE: Admitted = [
  ...[
    "configmaps",
    "endpoints",
    "limitranges",
    "namespaces",
    "nodes",
    "persistentvolumeclaims",
    "persistentvolumes",
  ],
  ...["pods", "podtemplates", "replicationcontrollers", "resourcequotas", "serviceaccounts", "services"],
];
/** The other groups that every API server has. */
const GROUPS: Admitted = [
  ...[
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "autoscaling",
  ],
  ...["batch", "coordination.k8s.io", "discovery.k8s.io", "networking.k8s.io", "node.k8s.io", "policy"],
  ...["rbac.authorization.k8s.io", "scheduling.k8s.io", "storage.k8s.io"],
].map((group) => `*.${group}`);

/**
 * The names that stand for these where objects are followed: whoever may list Secrets may read them, and no rule of RBAC says "all but".
 * Who waits for what is left out looks. A Secret that is admitted by its name is followed by it.
 */
export const FOLLOWED_INSTEAD: Readonly<Record<string, Admitted>> = {
  "*": [...CORE, ...GROUPS],
  "*.": CORE,
  secrets: [],
};

const RBAC = "rbac.authorization.k8s.io";
const WRITES: readonly Verb[] = ["create", "patch", "update"];

/** The rules of RBAC for the resources that a slot admits. Deterministic. */
export function rulesOfSlot(admitted: Admitted, verbs: Iterable<Verb>): readonly PolicyRule[] {
  const patterns = admitted.map(patternOf);
  const granted = [...verbs].sort();
  const byGroup = Map.groupBy(
    patterns.filter(({ name }) => name === undefined),
    ({ group }) => group,
  );
  const whole = [...byGroup]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([group, of]): PolicyRule => {
      const resources = [...new Set(of.map(({ resource }) => resource))].sort();
      return { apiGroups: [group], resources: resources.includes("*") ? ["*"] : resources, verbs: granted };
    });
  const rules = [...whole, ...namedRules(patterns, granted)];
  if (!WRITES.some((verb) => granted.includes(verb))) return rules;
  // The server lets nobody hand out rights that he lacks, unless he may do just that.
  const hands = (...resources: readonly string[]): boolean =>
    resources.some((resource) => patterns.some((pattern) => covers(pattern, RBAC, resource)));
  const escalation = [
    ...(hands("rolebindings", "clusterrolebindings") ? ["bind"] : []),
    ...(hands("roles", "clusterroles") ? ["escalate"] : []),
  ];
  return escalation.length === 0
    ? rules
    : [...rules, { apiGroups: [RBAC], resources: ["clusterroles", "roles"], verbs: escalation }];
}

/** The rules for objects that are admitted by name, which nobody writes. */
function namedRules(patterns: readonly Pattern[], granted: readonly Verb[]): readonly PolicyRule[] {
  const verbs = granted.filter((verb) => verb === "get" || verb === "list");
  const named = patterns.flatMap(({ name, ...of }) => (name === undefined ? [] : [{ ...of, name }]));
  return [...Map.groupBy(named, ({ group, resource }) => `${group}/${resource}`)]
    .sort(([one], [other]) => one.localeCompare(other))
    .flatMap(([, [first, ...others]]): readonly PolicyRule[] => {
      if (first === undefined) return [];
      const resourceNames = [...new Set([first, ...others].map(({ name }) => name))].sort();
      return [{ apiGroups: [first.group], resources: [first.resource], resourceNames, verbs }];
    });
}

/** True for a slot, false for a kind. */
export const isSlot = (kind: { readonly dynamic: boolean }): kind is Slot => kind.dynamic;
