import type { Echo } from "../bus/contract.ts";
import type { Cause } from "../bus/item.ts";

/** True where nothing but functions' own writes led to a run. */
export async function onlyFunctionsWoke(
  causes: readonly Cause[],
  wroteThis: (echo: Echo) => Promise<boolean>,
): Promise<boolean> {
  for (const { sort, uid, resourceVersion } of causes) {
    if (sort === "again" || sort === "net") continue;
    if (uid === undefined || resourceVersion === undefined) return false;
    if (!(await wroteThis({ uid, resourceVersion }))) return false;
  }
  return true;
}
