import { HOOKS, type Hook } from "../assets/index.ts";

/** The annotation that says what Cluster API asked last: `<hook> <class> <version of Kubernetes>`. */
export const ASKED_ANNOTATION = "reveille.dev/hook-asked";

/** A question of Cluster API, as it is stored. */
export interface Asked {
  readonly hook: Hook;
  /** The class that the Cluster named when it was asked. */
  readonly clusterStack: string;
  /** The version of Kubernetes that the question names; empty where it names none. */
  readonly version: string;
}

export const askedText = ({ hook, clusterStack, version }: Asked): string =>
  [hook, clusterStack, version].filter((part) => part !== "").join(" ");

/** Reads a question that was stored; undefined where nothing is, or what nobody of us wrote. */
export function askedIn(annotations: Readonly<Record<string, string>>): Asked | undefined {
  const [name, clusterStack, version = "", ...more] = (annotations[ASKED_ANNOTATION] ?? "").split(" ");
  const hook = HOOKS.find((one) => one === name);
  if (hook === undefined || clusterStack === undefined || clusterStack === "" || more.length > 0)
    return undefined;
  return { hook, clusterStack, version };
}
