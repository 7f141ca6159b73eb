import type { AnyObject, SlotPlace, Unstructured } from "../../../../shared/function/index.ts";
import { fieldsOf, textOf } from "../../../../shared/json/fields.ts";
import type { ClusterStackSpec, ObjectReference } from "../../kinds/index.ts";

const SUFFIX = "Template";

/** A template of a provider: its place, and the kind of what is made of it. */
export interface TemplatePlace {
  readonly template: SlotPlace;
  readonly release: { readonly apiVersion: string; readonly kind: string };
}

/** The template that a stack names, or in words why it names none that can be used. Undefined: it has no provider. */
export function templateOf(
  { noProvider, providerRef }: Pick<ClusterStackSpec, "noProvider" | "providerRef">,
  namespace: string,
): TemplatePlace | string | undefined {
  if (noProvider) return undefined;
  if (providerRef === undefined)
    return "spec.providerRef is missing: name a template, or set spec.noProvider";
  const { apiVersion = "", kind = "", name = "" } = providerRef;
  if (apiVersion === "" || name === "")
    return "spec.providerRef names no object: it wants apiVersion, kind and name";
  if (!kind.endsWith(SUFFIX) || kind === SUFFIX)
    return `spec.providerRef names a ${kind || "nothing"}: its kind must end in ${SUFFIX}`;
  return {
    template: { apiVersion, kind, name, namespace: providerRef.namespace || namespace },
    release: { apiVersion, kind: kind.slice(0, -SUFFIX.length) },
  };
}

/** The reference to a provider's object for a release. */
export const providerReference = (
  { apiVersion, kind }: TemplatePlace["release"],
  name: string,
  namespace: string,
): ObjectReference => ({ apiVersion, kind, name, namespace });

type Texts = Readonly<Record<string, string>>;
const textsOf = (value: unknown): Texts =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, text]) => [name, textOf(text)]));
/** Without the notes of kubectl, which are about that one object. */
const copied = (annotations: Texts): Texts =>
  Object.fromEntries(
    Object.entries(annotations).filter(([name]) => !/(^|\.)kubectl\.kubernetes\.io\//.test(name)),
  );

/** The provider's object for a release, as its template and its stack make it (4.1). */
export function providerRelease(
  template: Unstructured,
  stack: AnyObject,
  { apiVersion, kind }: TemplatePlace["release"],
  name: string,
) {
  const { metadata, spec } = fieldsOf(fieldsOf(template.spec).template);
  const made = fieldsOf(metadata);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      labels: { ...textsOf(made.labels), ...stack.metadata.labels },
      annotations: { ...copied(textsOf(made.annotations)), ...copied(stack.metadata.annotations) },
    },
    spec: fieldsOf(spec),
  };
}
