import type { ClusterReference } from "../kube/cluster-names.ts";
import type { AnyObject, Kind } from "../kube/kind.ts";
import { type KubeObject, type ManagedFields, parseApiVersion } from "../kube/object.ts";
import { FormerOwnerError, NameTakenError } from "./errors.ts";
import { FIELD_MANAGERS } from "./last-status.ts";

/** Set by a person on an object of theirs: the function, or the owner as `Kind/name`, that may take it over. */
const ADOPT = "reveille.dev/adopt";

/** The function and the owner in whose name an object is written. */
export interface Claim {
  /** The function's name. */
  readonly of: string;
  /** The object that a child shall belong to; absent where it is nobody's child. */
  readonly owner?: AnyObject | undefined;
  /** The cluster that the object lies in; absent: at home. */
  readonly cluster?: ClusterReference | undefined;
  /** False: the owner is one of several, and another's control is no hindrance. Default: true. */
  readonly controls?: boolean | undefined;
  /** Field managers of the operator that the function succeeds. */
  readonly succeeds: readonly string[];
  /** The rule by which the function takes over objects of this kind that nobody of ours made; undefined where it has none. */
  readonly adopts: string | undefined;
}

/**
 * Refuses to write over what is another's: what another owner controls, and what nobody of ours has made. Throws a
 * `FormerOwnerError` where the controller is what bore the owner's name before it was deleted and made again, else a `NameTakenError`.
 */
export function refuseAnothers(kind: Kind, live: KubeObject, claim: Claim): void {
  const { owner } = claim;
  const owners = live.metadata.ownerReferences ?? [];
  if (owner !== undefined) {
    const other =
      claim.controls === false
        ? undefined
        : owners.find(({ controller, uid }) => controller === true && uid !== owner.metadata.uid);
    if (other !== undefined && isNamesake(other, owner))
      throw new FormerOwnerError(nameOf(kind, live), other, placeOf(live, claim));
    if (other !== undefined)
      throw new NameTakenError(
        "OWNED_BY_ANOTHER",
        `${nameOf(kind, live)} belongs to ${other.kind} ${other.name}: it is not taken over. Rename or delete one of the two.`,
        placeOf(live, claim),
      );
    if (owners.some(({ uid }) => uid === owner.metadata.uid)) return;
  }
  if (claim.adopts !== undefined || isAdopted(live, claim) || isOurs(live, claim.succeeds)) return;
  const may = owner === undefined ? claim.of : `${owner.kind}/${owner.metadata.name}`;
  throw new NameTakenError(
    "NOT_ADOPTED",
    `${nameOf(kind, live)} was there before and is ${whose(live)}: it is not taken over. Rename or delete one of the two, or give it away with the annotation ${ADOPT}: ${may}.`,
    placeOf(live, claim),
  );
}

/** Refuses to write an object that is to be left as it is. Throws a `NameTakenError`. */
export function refuseChange(
  kind: Kind,
  object: KubeObject,
  claim: Claim,
  asItIs: boolean | undefined,
): void {
  if (asItIs !== true) return;
  throw new NameTakenError(
    "APPLY_WOULD_CHANGE",
    `${nameOf(kind, object)} is not as it would be applied, and is left as it is.`,
    placeOf(object, claim),
  );
}

/** True where a person gave the object to this function or this owner. */
export function isAdopted({ metadata: { annotations } }: KubeObject, { of, owner }: Claim): boolean {
  const said = annotations?.[ADOPT];
  return (
    said !== undefined &&
    (said === of || (owner !== undefined && said === `${owner.kind}/${owner.metadata.name}`))
  );
}

/** True where a function of ours, or the operator that it succeeds, has written the object's fields. */
const isOurs = ({ metadata }: KubeObject, succeeds: readonly string[]): boolean =>
  (metadata.managedFields ?? []).some(
    (entry) =>
      entry.manager !== undefined &&
      (entry.manager.startsWith(FIELD_MANAGERS) || succeeds.includes(entry.manager)) &&
      entry.subresource === undefined &&
      (entry.operation === "Apply" || saysMoreThanMetadata(entry)),
  );

/** A label or a finalizer that somebody put on an object does not make it theirs. */
const saysMoreThanMetadata = ({ fieldsV1 }: ManagedFields): boolean =>
  Object.keys(fieldsV1 ?? {}).some((field) => field !== "f:metadata");

function whose({ metadata }: KubeObject): string {
  const managers = new Set((metadata.managedFields ?? []).flatMap(({ manager }) => manager ?? []));
  return managers.size === 0 ? "nobody's here" : `of ${[...managers].slice(0, 3).join(", ")}`;
}

const isNamesake = (
  reference: { readonly apiVersion: string; readonly kind: string; readonly name: string },
  owner: AnyObject,
): boolean =>
  parseApiVersion(reference.apiVersion).group === parseApiVersion(owner.apiVersion).group &&
  reference.kind === owner.kind &&
  reference.name === owner.metadata.name;

const nameOf = (kind: Kind, { metadata: { namespace, name } }: KubeObject): string =>
  `${kind.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;

const placeOf = (
  { apiVersion, kind, metadata: { namespace, name } }: KubeObject,
  { cluster }: Pick<Claim, "cluster">,
) => ({
  apiVersion,
  kind,
  name,
  ...(cluster !== undefined && { cluster }),
  ...(namespace !== undefined && { namespace }),
});
