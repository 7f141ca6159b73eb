import type { KindStatics } from "../../kube/kind.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ParsedKey } from "../key.ts";

/** The read of a run's own object, begun while its key was still being taken. */
export class ReadAhead {
  readonly #object: Promise<KubeObject | undefined>;

  constructor(object: Promise<KubeObject | undefined>) {
    this.#object = object;
    // Where the key is not taken, nobody asks for it.
    object.catch(() => undefined);
  }

  /** As `KubeClient.get`. */
  object(): Promise<KubeObject | undefined> {
    return this.#object;
  }
}

/** Whether what an event told is the object of a key, in the version that woke the run. */
export function isThat(
  told: unknown,
  {
    kind: { group, version, kind },
    key: { namespace, name },
    resourceVersion,
  }: {
    readonly kind: Pick<KindStatics, "group" | "version" | "kind">;
    readonly key: Extract<ParsedKey, { of: "object" }>;
    readonly resourceVersion: string | undefined;
  },
): told is KubeObject {
  if (typeof told !== "object" || told === null || resourceVersion === undefined) return false;
  const { apiVersion, kind: said, metadata } = told as Partial<KubeObject>;
  return (
    apiVersion === (group === "" ? version : `${group}/${version}`) &&
    said === kind &&
    metadata?.name === name &&
    metadata.namespace === namespace &&
    metadata.resourceVersion === resourceVersion
  );
}
