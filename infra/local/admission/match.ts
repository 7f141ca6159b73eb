import { matchesLabelSelector } from "../../../shared/kube/label-selector.ts";
import type { ApiObject, Registry, ResourceType } from "../resource-type.ts";
import type { Hook, Rule } from "./hooks.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE";

/** A write that webhooks may be asked about. */
export interface Attributes {
  readonly type: ResourceType;
  readonly subresource: string | undefined;
  readonly operation: Operation;
  /** Empty for kinds without one; a Namespace is in itself. */
  readonly namespace: string;
  readonly object: ApiObject | undefined;
  readonly old: ApiObject | undefined;
}

type Labels = Readonly<Record<string, string>>;

/** True where a webhook may be asked about writes of a type: enough to know that most are not. */
export const concerns = (
  hook: Hook,
  registry: Registry,
  type: ResourceType,
  subresource: string | undefined,
): boolean => !isExempt(type) && spelledFor(hook, registry, { type, subresource }) !== undefined;

/**
 * The type in whose version a webhook is asked about a write; undefined where it is not asked.
 * @param labelsOf the labels of a namespace, where it is there
 */
export function matchOf(
  hook: Hook,
  registry: Registry,
  attributes: Attributes,
  labelsOf: (namespace: string) => Labels | undefined,
): ResourceType | undefined {
  if (isExempt(attributes.type)) return undefined;
  const found = spelledFor(hook, registry, attributes, attributes.operation);
  if (found === undefined) return undefined;
  if (!inNamespaces(hook.namespaceSelector, attributes, labelsOf)) return undefined;
  const selected = [attributes.object, attributes.old].some(
    (object) => object !== undefined && selects(hook.objectSelector, object.metadata.labels ?? {}),
  );
  return selected ? found : undefined;
}

/** Webhooks are not asked about webhooks: nobody could take a broken one away. */
const isExempt = ({ group }: ResourceType): boolean => group === "admissionregistration.k8s.io";

function spelledFor(
  { rules, matchPolicy }: Hook,
  registry: Registry,
  { type, subresource }: Pick<Attributes, "type" | "subresource">,
  operation?: Operation,
): ResourceType | undefined {
  const fits = (one: ResourceType): boolean =>
    rules.some((rule) => ruleFits(rule, one, subresource, operation));
  if (fits(type)) return type;
  if (matchPolicy !== "Equivalent") return undefined;
  return registry
    .all()
    .find((one) => one.group === type.group && one.plural === type.plural && one !== type && fits(one));
}

const names = (wanted: readonly string[], name: string): boolean =>
  wanted.includes("*") || wanted.includes(name);

function ruleFits(
  rule: Rule,
  { group, version, plural, namespaced }: ResourceType,
  subresource = "",
  operation: Operation | undefined,
): boolean {
  return (
    names(rule.apiGroups, group) &&
    names(rule.apiVersions, version) &&
    (operation === undefined || names(rule.operations, operation)) &&
    (rule.scope === "*" || rule.scope === (namespaced ? "Namespaced" : "Cluster")) &&
    rule.resources.some((resource) => {
      const [of = "", sub = ""] = resource.split("/");
      return (of === "*" || of === plural) && (sub === "*" || sub === subresource);
    })
  );
}

const selects = (selector: unknown, labels: Labels): boolean =>
  selector === undefined || matchesLabelSelector(selector, labels);

function inNamespaces(
  selector: unknown,
  { type, namespace, object, old }: Attributes,
  labelsOf: (namespace: string) => Labels | undefined,
): boolean {
  if (type.group === "" && type.plural === "namespaces")
    return selects(selector, (object ?? old)?.metadata.labels ?? {});
  return !type.namespaced || selects(selector, labelsOf(namespace) ?? {});
}
