import { sameJson } from "../../../shared/json/same-json.ts";
import { ObjectReference } from "../../../shared/kube/schema/core.ts";
import { AggregationRule, PolicyRule, RoleRef, Subject } from "../../../shared/kube/schema/rbac.ts";
import { LocalObjectReference } from "../../../shared/kube/schema/references.ts";
import { atomic, flag, keyed } from "../../../shared/kube/schema/words.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { JsonObject } from "../json.ts";
import type { ApiObject, ResourceType, Strategy } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, objectAt, objectIn, objectsAt, textAt } from "./reading.ts";

const group = "rbac.authorization.k8s.io";

/** A list that Go prints as null where it is absent. */
const rules = atomic(PolicyRule).nullable().describe("What may be done to what.").optional();

function roleStrategy(scope: "Role" | "ClusterRole"): Strategy {
  return {
    default(object) {
      object.rules ??= null;
    },
    validate: (object) =>
      objectsAt(object, "rules").flatMap((rule, index) => validateRule(rule, `rules[${index}]`, scope)),
  };
}

function validateRule(rule: JsonObject, path: string, scope: "Role" | "ClusterRole"): FieldError[] {
  const list = (name: string): readonly unknown[] => (Array.isArray(rule[name]) ? rule[name] : []);
  const errors: FieldError[] = [];
  if (list("verbs").length === 0)
    errors.push(fault.required(`${path}.verbs`, "verbs must contain at least one value"));
  if (list("nonResourceURLs").length > 0) {
    if (scope === "Role")
      errors.push(
        fault.invalid(
          `${path}.nonResourceURLs`,
          rule.nonResourceURLs,
          "namespaced rules cannot apply to non-resource URLs",
        ),
      );
    if (list("apiGroups").length + list("resources").length + list("resourceNames").length > 0)
      errors.push(
        fault.invalid(
          `${path}.nonResourceURLs`,
          rule.nonResourceURLs,
          "rules cannot apply to both regular resources and non-resource URLs",
        ),
      );
    return errors;
  }
  if (list("apiGroups").length === 0)
    errors.push(fault.required(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  if (list("resources").length === 0)
    errors.push(fault.required(`${path}.resources`, "resource rules must supply at least one resource"));
  return errors;
}

const binding: Strategy = {
  default(object: ApiObject) {
    fillIn(objectIn(object, "roleRef"), { apiGroup: group });
    for (const subject of objectsAt(object, "subjects"))
      if (subject.kind !== "ServiceAccount") fillIn(subject, { apiGroup: group });
  },
  validate(object, previous) {
    const errors: FieldError[] = [];
    const reference = objectAt(object, "roleRef");
    if (!["Role", "ClusterRole"].includes(textAt(reference, "kind")))
      return [fault.unsupported("roleRef.kind", reference.kind, ['"Role"', '"ClusterRole"'])];
    if (textAt(reference, "name") === "") errors.push(fault.required("roleRef.name"));
    for (const [index, subject] of objectsAt(object, "subjects").entries()) {
      if (textAt(subject, "name") === "") errors.push(fault.required(`subjects[${index}].name`));
      if (!["ServiceAccount", "User", "Group"].includes(textAt(subject, "kind")))
        errors.push(
          fault.unsupported(`subjects[${index}].kind`, subject.kind, [
            '"Group"',
            '"ServiceAccount"',
            '"User"',
          ]),
        );
      else if (subject.kind === "ServiceAccount" && textAt(subject, "namespace") === "")
        errors.push(fault.required(`subjects[${index}].namespace`));
    }
    if (previous !== undefined && !sameJson(object.roleRef, previous.roleRef))
      errors.push(fault.invalid("roleRef", object.roleRef, "cannot change roleRef"));
    return errors;
  },
};

const bindingFields = {
  roleRef: RoleRef.describe("The role that is given."),
  subjects: atomic(Subject).describe("To whom.").optional(),
};

/** The kinds of rights. The local API stores and shows these; it does not enforce them. */
export const access: readonly ResourceType[] = [
  builtIn({
    kind: "ServiceAccount",
    shortNames: ["sa"],
    description: "Whom pods are to the API server.",
    fields: {
      automountServiceAccountToken: flag.optional(),
      imagePullSecrets: atomic(LocalObjectReference).optional(),
      secrets: keyed(ObjectReference, "name").optional(),
    },
  }),
  builtIn({
    group,
    kind: "ClusterRoleBinding",
    cluster: true,
    names: "path",
    description: "Gives a cluster role to subjects everywhere.",
    fields: bindingFields,
    strategy: binding,
  }),
  builtIn({
    group,
    kind: "ClusterRole",
    cluster: true,
    names: "path",
    description: "Rights in the whole cluster.",
    fields: { aggregationRule: AggregationRule.optional(), rules },
    strategy: roleStrategy("ClusterRole"),
  }),
  builtIn({
    group,
    kind: "RoleBinding",
    names: "path",
    description: "Gives a role to subjects in a namespace.",
    fields: bindingFields,
    strategy: binding,
  }),
  builtIn({
    group,
    kind: "Role",
    names: "path",
    description: "Rights in a namespace.",
    fields: { rules },
    strategy: roleStrategy("Role"),
  }),
];
