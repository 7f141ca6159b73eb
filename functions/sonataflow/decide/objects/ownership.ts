import type { AnyObject } from "../../../../shared/function/index.ts";
import { OPERATOR_ID, SECONDARY } from "../../kinds/annotations.ts";

export const isSecondary = ({ metadata }: AnyObject): boolean => metadata.annotations[SECONDARY] === "true";

/** True where the operator with this id handles the object: the ids are the same, or neither has one. */
export const isHandled =
  (operatorId: string) =>
  ({ metadata }: { readonly metadata: Pick<AnyObject["metadata"], "annotations"> }): boolean =>
    (metadata.annotations[OPERATOR_ID] ?? "") === operatorId;
