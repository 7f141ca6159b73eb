import type { AnyObject, Effect, Results, Wait } from "../../../../shared/function/index.ts";
import { identityKey, isKeptForGood } from "../../../../shared/manifests/inventory.ts";
import type { Resource } from "../../kinds/index.ts";
import { isOf, type Mark } from "./marks.ts";

/** The annotation by which an object asks to be deleted and made anew where it cannot be changed. */
const RECREATE = "reveille.dev/recreate";
/** Helm deletes its hooks before it makes them again, or once they have succeeded: their authors count on it. */
const HOOK = "helm.sh/hook";

/** True for an object that asks for it. */
export const asksForRecreation = ({
  metadata: { annotations },
}: {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
}): boolean =>
  annotations[RECREATE] === "true" || (annotations[RECREATE] === undefined && HOOK in annotations);

/** The removal of objects that are made anew, as far as it goes in one pass. */
export interface Recreation<T extends string> {
  readonly effects: readonly Effect<T>[];
  /** They are on their way out, and waited for. */
  readonly waits: readonly Wait[];
  /** True for an object that is still there: it is not applied before it is gone. */
  isGoing(resource: Resource): boolean;
  /** The record with the reasons why some could not be deleted. */
  told(record: readonly Resource[], results: Results): Resource[];
  /** True where one could not be deleted. */
  isHeldUp(results: Results): boolean;
}

/**
 * Takes away what the record says is to be made anew, and still stands. What others may keep data in, and what does not bear our marks,
 * stays: its next apply is refused for good.
 * @param removal deletes one, guarded by what was read
 * @param gone waits for its end
 */
export function recreation<Live extends AnyObject, T extends string>(
  found: readonly { readonly resource: Resource; readonly live: Live | undefined }[],
  mark: Mark,
  removal: (live: Live) => Effect<T>,
  gone: (live: Live) => Wait,
): Recreation<T> {
  const going = found.flatMap(({ resource, live }) =>
    live !== undefined && isOf(live, mark) && !isKeptForGood(live)
      ? [{ key: identityKey(resource), live, effect: removal(live) }]
      : [],
  );
  const keys = new Set(going.map(({ key }) => key));
  const removals = going.filter(({ live }) => live.metadata.deletionTimestamp === undefined);
  const errorsIn = (results: Results): ReadonlyMap<string, string> =>
    new Map(
      removals.flatMap(({ key, effect }) => {
        const result = results(effect);
        return result.state === "failed" ? [[key, result.error.message] as const] : [];
      }),
    );
  return {
    effects: removals.map(({ effect }) => effect),
    waits: going.map(({ live }) => gone(live)),
    isGoing: (resource) => keys.has(identityKey(resource)),
    told: (record, results) => {
      const errors = errorsIn(results);
      return record.map((resource) => {
        const error = errors.get(identityKey(resource));
        return error === undefined ? resource : { ...resource, error };
      });
    },
    isHeldUp: (results) => errorsIn(results).size > 0,
  };
}
