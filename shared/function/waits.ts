import type { AnyObject } from "../kube/kind.ts";
import type { Wait } from "./wait.ts";

/** The wait for something that an object, which was read, has yet to become: its change wakes. */
export function waitFor({ apiVersion, kind, metadata }: AnyObject, what: string): Wait {
  const { name, namespace } = metadata;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  return { for: `${kind} ${place} to ${what}`, object: { apiVersion, kind, name, namespace } };
}
