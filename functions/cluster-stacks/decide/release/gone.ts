import type { AnyObject, Wait } from "../../../../shared/function/index.ts";

/** The wait for the end of an object at home. */
export const goneWait = ({ apiVersion, kind, metadata: { name, namespace } }: AnyObject): Wait => ({
  for: `${kind} ${name} to be gone`,
  object: { apiVersion, kind, name, namespace },
});
