import { apiVersionOf, parseApiVersion } from "../../../../shared/kube/object.ts";
import { Manifest, type SyncedObject } from "../../kinds/index.ts";
import { DEFAULT_NAMESPACE } from "./marks.ts";
import type { Named, Waiting } from "./world.ts";

/** The wait for a kind that nobody has brought yet. Whether its objects lie in namespaces will be known once it is there. */
export const kindWait = (of: Named): Waiting => ({
  for: `the kind ${of.kind} of ${of.apiVersion}`,
  of: { ...of, namespace: of.namespace ?? DEFAULT_NAMESPACE },
});
/** The wait for an object to be gone. */
export const goneWait = (of: Named): Waiting => ({ for: `${of.kind} ${placeOf(of)} to be gone`, of });

/** The wait for another Manifest to let go of an object. */
export const manifestWait = (name: string, namespace: string): Waiting => ({
  for: `Manifest ${name} to let go`,
  of: { apiVersion: apiVersionOf(Manifest), kind: Manifest.kind, name, namespace },
  isAtHome: true,
});

/** The place of an object, as people write it. */
export const placeOf = (of: Pick<Named, "namespace" | "name"> | undefined): string =>
  of === undefined ? "" : of.namespace ? `${of.namespace}/${of.name}` : of.name;

/** An object as it is named. */
export const namedOf = ({
  apiVersion,
  kind,
  metadata: { name, namespace },
}: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}): Named => ({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) });

/** The object of an entry as it is named. */
export const namedEntry = ({ group, version, kind, name, namespace }: SyncedObject): Named => ({
  apiVersion: group === "" ? version : `${group}/${version}`,
  kind,
  name,
  ...(namespace !== "" && { namespace }),
});

/** The reverse of `namedEntry`. */
export const entryNamed = ({ apiVersion, kind, name, namespace = "" }: Named): SyncedObject => ({
  ...parseApiVersion(apiVersion),
  kind,
  name,
  namespace,
});

/** True where both name the same object. */
export const isAt = (one: Named, other: Named): boolean =>
  one.apiVersion === other.apiVersion &&
  one.kind === other.kind &&
  one.name === other.name &&
  (one.namespace ?? "") === (other.namespace ?? "");
