import { type ClassPlace, classPlace } from "./usage.ts";

/** The facts of a Cluster that name its class, in either version. */
export interface ClassFacts {
  readonly namespace: string;
  readonly class?: string | undefined;
  readonly classNamespace?: string | undefined;
  readonly classRefName?: string | undefined;
  readonly classRefNamespace?: string | undefined;
}

/** The class that a Cluster's facts name. */
export const classOfFacts = (facts: ClassFacts): ClassPlace | undefined =>
  classPlace(
    {
      class: facts.class,
      classNamespace: facts.classNamespace,
      classRef: { name: facts.classRefName, namespace: facts.classRefNamespace },
    },
    facts.namespace,
  );
