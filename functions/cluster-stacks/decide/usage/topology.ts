import { type ClassPlace, classPlace } from "./usage.ts";

/** The facts of a Cluster that name its class, in either version. */
interface Named {
  readonly class?: string | undefined;
  readonly classNamespace?: string | undefined;
  readonly classRefName?: string | undefined;
  readonly classRefNamespace?: string | undefined;
}
/** These, and where the Cluster is. */
export interface ClassFacts extends Named {
  readonly namespace: string;
}

/** The class that a Cluster's facts name. */
export const classOfFacts = (facts: ClassFacts): ClassPlace | undefined => classIn(facts, facts.namespace);

const classIn = (facts: Named, namespace: string): ClassPlace | undefined =>
  classPlace(
    {
      class: facts.class,
      classNamespace: facts.classNamespace,
      classRef: { name: facts.classRefName, namespace: facts.classRefNamespace },
    },
    namespace,
  );

/** A step from one state of an object to the next. */
interface Step<Facts> {
  readonly gone: boolean;
  readonly was: Facts | undefined;
}

/**
 * True where a Cluster leaves its class, or goes. Only then a release may go that was held for it; one that a Cluster comes to use is held
 * by whoever looks for its users next.
 */
export const leavesClass = (said: ClassFacts & Step<Named>): boolean =>
  leaves(said, (facts) => {
    const { namespace, name } = classIn(facts, said.namespace) ?? {};
    return name && `${namespace}/${name}`;
  });

/** True where addons of a class give way to those of another, or go. */
export const leavesAddons = (
  said: { readonly clusterStack?: string | undefined } & Step<{ readonly clusterStack?: string | undefined }>,
): boolean => leaves(said, ({ clusterStack }) => clusterStack);

function leaves<Facts>(said: Facts & Step<Facts>, classOf: (facts: Facts) => string | undefined): boolean {
  const before = said.gone ? said : said.was;
  const left = before && classOf(before);
  return Boolean(left) && (said.gone || classOf(said) !== left);
}
