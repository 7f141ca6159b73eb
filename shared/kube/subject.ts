import { type ClusterReference, parseReference } from "./cluster-names.ts";

/**
 * The name of an object in events and in the history: `<group>/<kind>/<namespace>/<name>`, for one of other clusters behind its cluster:
 * `@runtime:rt-1/<group>/…`.
 */
export const subjectIn = (
  reference: ClusterReference | undefined,
  { group, kind }: { readonly group: string; readonly kind: string },
  at: { readonly namespace?: string | undefined; readonly name: string },
): string =>
  `${reference === undefined ? "" : `${reference}/`}${group}/${kind}/${at.namespace ?? ""}/${at.name}`;

/** The parts of a subject. */
export interface SubjectParts {
  /** Undefined: at home. */
  readonly cluster: ClusterReference | undefined;
  readonly group: string;
  readonly kind: string;
  /** Empty where it has none. */
  readonly namespace: string;
  /** `*` for a list. */
  readonly name: string;
}

/** Takes a subject apart. */
export function subjectParts(subject: string): SubjectParts {
  const all = subject.split("/");
  const [first = ""] = all;
  const isElsewhere = first.startsWith("@") && parseReference(first) !== undefined;
  const [group = "", kind = "", namespace = "", ...rest] = isElsewhere ? all.slice(1) : all;
  return {
    cluster: isElsewhere ? (first as ClusterReference) : undefined,
    group,
    kind,
    namespace,
    name: rest.join("/"),
  };
}
