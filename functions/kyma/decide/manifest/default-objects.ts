import type { Obj } from "../../../../shared/function/index.ts";
import { fieldOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import { jsonOf } from "../../../../shared/json/parse.ts";
import { ANNOTATIONS, type Manifest, RUNTIME_NAMESPACE } from "../../kinds/index.ts";
import { keyOf } from "./inventory.ts";
import { entryNamed } from "./named.ts";
import type { Named } from "./world.ts";

type Self = Pick<Obj<typeof Manifest>, "metadata" | "spec">;

/** The place of the default configuration object; its namespace counts only where its kind has one. */
export function ownPlace({ metadata, spec }: Self): Named {
  const { apiVersion = "", kind = "", metadata: named } = spec?.resource ?? {};
  return {
    apiVersion,
    kind,
    name: named?.name || metadata.name,
    namespace: named?.namespace || RUNTIME_NAMESPACE,
  };
}

/**
 * The default configuration objects of a module: that of its version first, and those of the versions that it had. Users may have objects of all these
 * kinds, also where a later version has another default object or none.
 */
export function defaultObjects(self: Self): readonly Named[] {
  if (!self.spec?.resource) return keptIn(self);
  const own = ownPlace(self);
  return [own, ...keptIn(self).filter((one) => !isSame(one, own))];
}

/** The record of these objects as it is to be; undefined where it is so already, or there are none. */
export function defaultObjectsToRecord(self: Self): string | undefined {
  const own = self.spec?.resource ? ownPlace(self) : undefined;
  if (own === undefined || keptIn(self).some((one) => isSame(one, own))) return undefined;
  return JSON.stringify(defaultObjects(self));
}

/** True for the same object, in whichever version of its kind. */
const isSame = (one: Named, other: Named): boolean => keyOf(entryNamed(one)) === keyOf(entryNamed(other));

const keptIn = ({ metadata: { annotations } }: Self): readonly Named[] =>
  listOf(jsonOf(annotations[ANNOTATIONS.defaultObjects] ?? "")).flatMap((one) => {
    const at = (field: string): string => textOf(fieldOf(one, field));
    const [apiVersion, kind, name, namespace] = [at("apiVersion"), at("kind"), at("name"), at("namespace")];
    return apiVersion === "" || kind === "" || name === "" ? [] : [{ apiVersion, kind, name, namespace }];
  });
