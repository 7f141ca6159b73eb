import type { Kind } from "../kube/kind.ts";
import type { FunctionDeclaration, Readable } from "./declaration.ts";
import type { EffectPlan } from "./effects.ts";

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What a function may do to one kind. */
export interface Right {
  readonly kind: Kind;
  readonly reads: boolean;
  readonly writes: boolean;
  /** Whether it is the key: its status, finalizers and engine-owned paths are the function's. */
  readonly key: boolean;
}

const kindOf = (readable: Readable): Kind => ("unwatched" in readable ? readable.kind : readable);
const idOf = ({ group, kind }: Kind): string => `${group}/${kind}`;

/** Every kind that the function declared, with what it may do to it: what the runner enforces and RBAC is derived from. */
export function rightsOf(declaration: FunctionDeclaration): ReadonlyMap<string, Right> {
  const rights = new Map<string, Right>();
  const add = (kind: Kind, more: Partial<Right>): void => {
    const known = rights.get(idOf(kind)) ?? { kind, reads: false, writes: false, key: false };
    rights.set(idOf(kind), { ...known, ...more });
  };
  for (const { kind } of declaration.wakes) if (kind !== undefined) add(kind, { reads: true });
  for (const readable of declaration.reads) add(kindOf(readable), { reads: true });
  for (const kind of declaration.owns) add(kind, { reads: true, writes: true });
  for (const readable of declaration.writes) add(kindOf(readable), { reads: true, writes: true });
  add(declaration.key.kind, { reads: true, key: true });
  return rights;
}

/** The rules that the function's own role needs, no more. Deterministic. */
export function rulesOf(declaration: FunctionDeclaration): readonly PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const { kind, writes, key } of [...rightsOf(declaration).values()].sort((a, b) =>
    idOf(a.kind).localeCompare(idOf(b.kind)),
  )) {
    const verbs = new Set(["get", "list"]);
    if (writes) for (const verb of ["create", "delete", "patch"]) verbs.add(verb);
    if (key && (declaration.finalizer !== undefined || Object.keys(kind.engineOwned).length > 0))
      verbs.add("patch");
    rules.push({ apiGroups: [kind.group], resources: [kind.plural], verbs: [...verbs].sort() });
    if ((key || writes) && kind.status !== undefined && (key || !kind.external))
      rules.push({ apiGroups: [kind.group], resources: [`${kind.plural}/status`], verbs: ["patch"] });
    // OwnerReferencesPermissionEnforcement (default on OpenShift) asks for it where a child blocks its owner's deletion.
    if (key && declaration.owns.length > 0)
      rules.push({ apiGroups: [kind.group], resources: [`${kind.plural}/finalizers`], verbs: ["update"] });
  }
  return [...rules, { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] }];
}

/** What one effect needs of the declaration, for the refusal that names the line to add. */
export function missingFor(
  plan: EffectPlan,
  declaration: FunctionDeclaration,
  rights: ReadonlyMap<string, Right>,
): string | undefined {
  switch (plan.effect) {
    case "note":
      return undefined;
    case "emit":
      return declaration.emits.some((event) => event.id === plan.event.id)
        ? undefined
        : `emits: [${plan.event.id}]`;
    case "apply":
    case "create":
    case "remove":
      return rights.get(idOf(plan.kind))?.writes === true
        ? undefined
        : plan.effect !== "remove" && plan.owner !== undefined
          ? `owns: [${plan.kind.id}]`
          : `writes: [${plan.kind.id}]`;
    case "patch":
    case "status": {
      const right = rights.get(idOf(plan.kind));
      return right?.writes === true || right?.key === true ? undefined : `writes: [${plan.kind.id}]`;
    }
  }
}
