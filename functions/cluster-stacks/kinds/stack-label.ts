import type { AnyObject } from "../../../shared/function/index.ts";

/** The label of releases that says whose they are: a stack lists its own, however many others lie beside them. */
export const STACK_LABEL = "reveille.dev/cluster-stack";
/** The longest value of a label. */
const LONGEST = 63;

/** The label of a stack's releases. Its owner reference decides: a stack of the same name before it had the same label. */
export const stackLabel = ({ metadata: { name, uid } }: Pick<AnyObject, "metadata">) => ({
  [STACK_LABEL]: name.length > LONGEST ? uid : name,
});
