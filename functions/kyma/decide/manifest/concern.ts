import type { Obj } from "../../../../shared/function/index.ts";
import type { Manifest, WatchedObject } from "../../kinds/index.ts";
import { defaultObjects } from "./default-objects.ts";
import { kindOf } from "./objects.ts";
import { handlerOf } from "./trusted.ts";

type Self = Pick<Obj<typeof Manifest>, "metadata" | "spec" | "status">;

/**
 * True for a Manifest that looks at the object which changed in its runtime: it recorded it, is judged by it, or is to go and is held by the objects
 * of its kind. Where nobody says what changed, any may have.
 */
export function mayConcern(self: Self, watched: WatchedObject | undefined): boolean {
  if (watched === undefined || watched.kind === "") return true;
  const { metadata, spec, status } = self;
  const { manager } = spec ?? {};
  if (manager !== undefined && isOne(manager, watched)) return true;
  if (status?.synced?.some((entry) => isOne(entry, watched))) return true;
  // Users may change and delete such objects as they like, until the module goes; its trusted handler goes by them.
  if (metadata.deletionTimestamp === undefined && handlerOf({ metadata }) === undefined) return false;
  return defaultObjects(self).some((one) => isOfKind(kindOf(one), watched));
}

interface Kinded {
  readonly group: string;
  readonly kind: string;
}
/** The same object is the same in all versions of its kind. */
const isOfKind = ({ group, kind }: Kinded, watched: WatchedObject): boolean =>
  group === watched.group && kind === watched.kind;

/** All objects of a kind may be deleted at once, without a name. A Namespace is told to lie in itself. */
const isOne = (
  {
    name,
    namespace = "",
    ...of
  }: Kinded & { readonly name: string; readonly namespace?: string | undefined },
  watched: WatchedObject,
): boolean =>
  isOfKind(of, watched) &&
  (watched.name === "" || watched.name === name) &&
  (watched.namespace === "" || namespace === "" || watched.namespace === namespace);
