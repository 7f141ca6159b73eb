import type { AdmissionDeclaration } from "../function/admission-declaration.ts";
import type { FunctionDeclaration, PolicyRule, Readable, Verb } from "../function/declaration.ts";
import type { EffectPlan } from "../function/effects.ts";
import type { HookDeclaration } from "../function/hook-declaration.ts";
import { type Admitted, awaitedSlots, FOLLOWED_INSTEAD, isAdmitted, rulesOfSlot } from "../function/slots.ts";
import type { ClustersStatics } from "../kube/cluster-names.ts";
import type { Kind } from "../kube/kind.ts";

export type { PolicyRule } from "../function/declaration.ts";

/** The right of a function on one kind. */
export interface Right {
  readonly kind: Kind;
  readonly reads: boolean;
  readonly writes: boolean;
  /** True for the kind of the key: its status, finalizers and engine-owned paths are the function's. */
  readonly key: boolean;
  /** The verbs on the objects themselves; its key's status, and its children's, go with them. */
  readonly verbs: ReadonlySet<Verb>;
}

const kindOf = (readable: Readable): Kind => ("unwatched" in readable ? readable.kind : readable);
/** Names a kind among the rights; the same kind in other clusters is another one. */
export const idOf = ({ group, kind, clusters }: Kind): string =>
  `${clusters === undefined ? "" : `${clusters.id}:`}${group}/${kind}`;
const sortedById = (rights: Iterable<Right>): readonly Right[] =>
  [...rights].sort((a, b) => idOf(a.kind).localeCompare(idOf(b.kind)));

/** Every kind that the function declared, with what it may do to it: what the runner enforces and RBAC is derived from. */
export function rightsOf(declaration: FunctionDeclaration): ReadonlyMap<string, Right> {
  const rights = new Map<string, Omit<Right, "verbs">>();
  const add = (kind: Kind, more: Partial<Right>): void => {
    const known = rights.get(idOf(kind)) ?? { kind, reads: false, writes: false, key: false };
    rights.set(idOf(kind), { ...known, ...more });
  };
  for (const { kind } of declaration.wakes) if (kind !== undefined) add(kind, { reads: true });
  for (const readable of declaration.reads) add(kindOf(readable), { reads: true });
  for (const kind of declaration.owns) add(kind, { reads: true, writes: true });
  for (const readable of declaration.writes) add(kindOf(readable), { reads: true, writes: true });
  add(declaration.key.kind, { reads: true, key: true });
  return new Map([...rights].map(([id, right]) => [id, { ...right, verbs: verbsOf(right, declaration) }]));
}

const READS: readonly Verb[] = ["get", "list"];
const WRITES: readonly Verb[] = ["create", "patch", "delete"];
/** Takes away what others own: only where the function says so. */
const UPDATE: readonly Verb[] = ["update"];

function verbsOf(
  { kind, writes, key }: Omit<Right, "verbs">,
  { verbs, key: { by }, finalizer }: FunctionDeclaration,
): ReadonlySet<Verb> {
  const chosen = new Set(chosenVerbs(writes, verbs[kind.id]));
  if (key) {
    // A sweep lists what the function is about.
    chosen.add("list");
    if (by === "object") chosen.add("get");
    if (finalizer !== undefined || Object.keys(kind.engineOwned).length > 0) chosen.add("patch");
  }
  return chosen;
}

/** @param asked the verbs that the declaration names for the kind; undefined: all that it would allow */
function chosenVerbs(writes: boolean, asked: readonly Verb[] | undefined): readonly Verb[] {
  const allowed = writes
    ? [...READS, ...WRITES, ...(asked?.includes("update") === true ? UPDATE : [])]
    : READS;
  return allowed.filter((verb) => asked?.includes(verb) ?? true);
}

/** Over a WebSocket the request is a GET; newer servers ask for `create` as well. */
const EXECUTION: PolicyRule = { apiGroups: [""], resources: ["pods/exec"], verbs: ["create", "get"] };
const PODS = { group: "", plural: "pods" } as const;

/** The rule to run commands in Pods that a slot brings, where the configuration admits Pods to it. Deterministic. */
export const executionRulesOf = (
  { executesIn }: Pick<FunctionDeclaration, "executesIn">,
  admitted: ReadonlyMap<string, Admitted>,
): readonly PolicyRule[] =>
  executesIn !== undefined && isAdmitted(admitted.get(executesIn) ?? [], PODS) ? [EXECUTION] : [];

/**
 * The rules that the function's own role needs, no more; those for kinds that only its configuration names are granted apart.
 * Deterministic.
 */
export function rulesOf(declaration: FunctionDeclaration): readonly PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const right of sortedById(rightsOf(declaration).values())) {
    const { kind, verbs, key } = right;
    // A slot is granted apart, and other clusters grant by themselves. A server takes no rule without verbs.
    if (kind.dynamic || kind.clusters !== undefined) continue;
    if (verbs.size > 0)
      rules.push({ apiGroups: [kind.group], resources: [kind.plural], verbs: [...verbs].sort() });
    // A function that names no part of the status writes none.
    if (kind.status !== undefined && key && declaration.key.part?.length !== 0)
      rules.push({ apiGroups: [kind.group], resources: [`${kind.plural}/status`], verbs: ["patch"] });
    else rules.push(...statusRules(right));
    // OwnerReferencesPermissionEnforcement (default on OpenShift) asks for it where a child blocks its owner's deletion.
    if (key && (declaration.owns.length > 0 || slotsOf(declaration).some(({ right }) => right.writes)))
      rules.push({ apiGroups: [kind.group], resources: [`${kind.plural}/finalizers`], verbs: ["update"] });
  }
  if (declaration.executes !== undefined && declaration.executesIn === undefined) rules.push(EXECUTION);
  if (declaredClusters(declaration).some(({ secret }) => !("label" in secret))) rules.push(SECRETS_BY_NAME);
  return [...rules, { apiGroups: [""], resources: ["events"], verbs: ["create"] }];
}

/** The other clusters that a function has to do with, each once. */
export const declaredClusters = (declaration: FunctionDeclaration): readonly ClustersStatics[] => [
  ...new Map(
    [...rightsOf(declaration).values()].flatMap(({ kind: { clusters } }) =>
      clusters === undefined ? [] : [[clusters.id, clusters] as const],
    ),
  ).values(),
];

/** The rule to read kubeconfigs whose Secrets are found by name, in whichever namespace: none to list Secrets. */
export const SECRETS_BY_NAME: PolicyRule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };

/**
 * The rules to read kubeconfigs whose Secrets are found by label, by the one namespace that holds them; `follows`: also to hear of their
 * changes. Deterministic.
 */
export function labelledSecretRules(
  clusters: readonly ClustersStatics[],
  { follows }: { readonly follows: boolean },
): readonly { readonly namespace: string; readonly rule: PolicyRule }[] {
  const namespaces = clusters.flatMap(({ secret }) => ("label" in secret ? [secret.namespace] : []));
  const verbs = follows ? FOLLOWS : ["get", "list"];
  return [...new Set(namespaces)]
    .sort()
    .map((namespace) => ({ namespace, rule: { apiGroups: [""], resources: ["secrets"], verbs } }));
}

/** An admission or a hook, as far as its rights follow from it. */
export type Questioned = Pick<AdmissionDeclaration, "reads"> &
  Partial<Pick<HookDeclaration, "writes" | "verbs">>;

/** The kinds that an admission or a hook reads and writes: what the runner enforces and RBAC is derived from. */
export function questionRights({ reads, writes = [], verbs = {} }: Questioned): ReadonlyMap<string, Right> {
  const right = (kind: Kind, isWritten: boolean): readonly [string, Right] => [
    idOf(kind),
    {
      kind,
      reads: true,
      writes: isWritten,
      key: false,
      verbs: new Set(chosenVerbs(isWritten, verbs[kind.id])),
    },
  ];
  return new Map([...reads.map((kind) => right(kind, false)), ...writes.map((kind) => right(kind, true))]);
}

/** The rules that whoever answers the questions of an admission or a hook needs. Deterministic. */
export const questionRules = (question: Questioned): readonly PolicyRule[] =>
  sortedById(questionRights(question).values()).flatMap((right) => [
    ...(right.verbs.size === 0
      ? []
      : [{ apiGroups: [right.kind.group], resources: [right.kind.plural], verbs: [...right.verbs].sort() }]),
    ...statusRules(right),
  ]);

/** The rule to write the status of objects that are not the key's, where a CRD of ours brings them. */
const statusRules = ({ kind, writes, verbs }: Right): readonly PolicyRule[] =>
  kind.status !== undefined && writes && verbs.has("patch") && !kind.external
    ? [{ apiGroups: [kind.group], resources: [`${kind.plural}/status`], verbs: ["patch"] }]
    : [];

/** The slots of a function at home, with what it may do to what they admit. */
export const slotsOf = (
  declaration: FunctionDeclaration,
): readonly { readonly slot: string; readonly right: Right }[] =>
  sortedById(rightsOf(declaration).values()).flatMap((right) =>
    right.kind.dynamic && right.kind.clusters === undefined ? [{ slot: right.kind.id, right }] : [],
  );

/** The rules for kinds that only the configuration names, by slot: a role of its own each. Deterministic. */
export const slotRulesOf = (
  declaration: FunctionDeclaration,
  admitted: ReadonlyMap<string, Admitted>,
): readonly { readonly slot: string; readonly rules: readonly PolicyRule[] }[] =>
  slotsOf(declaration).flatMap(({ slot, right }) => {
    const rules = rulesOfSlot(admitted.get(slot) ?? [], right.verbs);
    return rules.length === 0 ? [] : [{ slot, rules }];
  });

/** The verbs of whoever follows objects. */
export const FOLLOWS = ["get", "list", "watch"] as const;

/** The rules that the watcher needs to follow objects of a function's awaited slots, as far as the configuration admits them. Deterministic. */
export const awaitedRulesOf = (
  declaration: FunctionDeclaration,
  admitted: ReadonlyMap<string, Admitted>,
): readonly PolicyRule[] => {
  const rules = awaitedSlots(declaration).flatMap((slot) =>
    rulesOfSlot(
      (admitted.get(slot) ?? []).flatMap((text) =>
        Object.hasOwn(FOLLOWED_INSTEAD, text) ? (FOLLOWED_INSTEAD[text] ?? []) : [text],
      ),
      [],
    ).map((rule) => ({ ...rule, verbs: FOLLOWS })),
  );
  return rules.length === 0 ? [] : [...rules, arrivalRule];
};

/** A kind that somebody waits for and that the server does not know yet is heard of by the CRDs' metadata. */
const arrivalRule: PolicyRule = {
  apiGroups: ["apiextensions.k8s.io"],
  resources: ["customresourcedefinitions"],
  verbs: ["list", "watch"],
};

/** The rules that it needs beside `rulesOf` only as long as it takes over objects of the operator that it succeeds. */
export function takeOverRulesOf(declaration: FunctionDeclaration): readonly PolicyRule[] {
  if (declaration.succeeds.length === 0) return [];
  // Whose fields they are is told by a patch of the object itself, also for a status.
  return sortedById(rightsOf(declaration).values())
    .filter(({ key, verbs }) => key && !verbs.has("patch"))
    .map(({ kind }) => ({ apiGroups: [kind.group], resources: [kind.plural], verbs: ["patch"] }));
}

/** The line of the declaration that an effect lacks, for the refusal that names it. */
export function missingFor(
  plan: EffectPlan,
  declaration: Pick<FunctionDeclaration, "emits" | "uses">,
  rights: ReadonlyMap<string, Right>,
): string | undefined {
  switch (plan.effect) {
    case "note":
      return undefined;
    case "emit":
      return declaration.emits.some((event) => event.id === plan.event.id)
        ? undefined
        : `emits: [${plan.event.id}]`;
    case "call":
      return declaration.uses.some(({ id }) => id === plan.port.id) ? undefined : `uses: [${plan.port.id}]`;
    case "apply":
    case "create":
    case "replace":
    case "remove":
      return rights.get(idOf(plan.kind))?.writes === true
        ? missingVerb(plan.kind, verbsFor(plan), rights)
        : (plan.effect === "apply" || plan.effect === "create") && plan.owner !== undefined
          ? `owns: [${plan.kind.id}]`
          : `writes: [${plan.kind.id}]`;
    case "patch":
    case "status": {
      const right = rights.get(idOf(plan.kind));
      if (right?.writes !== true && right?.key !== true) return `writes: [${plan.kind.id}]`;
      return right.key ? undefined : missingVerb(plan.kind, ["patch"], rights);
    }
  }
}

const VERBS = {
  apply: ["create", "patch"],
  create: ["create"],
  replace: ["update"],
  remove: ["delete"],
} as const;

const verbsFor = (plan: Extract<EffectPlan, { effect: keyof typeof VERBS }>): readonly Verb[] =>
  plan.effect === "apply" && plan.labelled !== undefined ? [...VERBS.apply, "list"] : VERBS[plan.effect];

function missingVerb(
  kind: Kind,
  needed: readonly Verb[],
  rights: ReadonlyMap<string, Right>,
): string | undefined {
  const lacks = needed.filter((verb) => rights.get(idOf(kind))?.verbs.has(verb) !== true);
  return lacks.length === 0
    ? undefined
    : `verbs: { ${kind.id}: [${lacks.map((verb) => `"${verb}"`).join(", ")}] }`;
}
