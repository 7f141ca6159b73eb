import type { ClusterStackSpec } from "../../kinds/index.ts";
import { releaseOfClass, sameStack } from "../names/index.ts";
import { stackOf } from "./offer.ts";

/** True for the stack that a class belongs to. */
export const isStackOfClass = (
  { spec }: { readonly spec?: ClusterStackSpec | undefined },
  className: string | undefined,
): boolean => {
  const release = className === undefined ? undefined : releaseOfClass(className);
  return spec !== undefined && release !== undefined && sameStack(release, stackOf(spec));
};
