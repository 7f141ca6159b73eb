import { isDeleting } from "../../../../shared/kube/objects.ts";
import type { Configuration } from "../../configuration.ts";
import { OPERATOR_ID, SECONDARY } from "../../kinds/annotations.ts";
import type { Platform } from "../../kinds/index.ts";
import { isHandled, isSecondary } from "../objects/ownership.ts";

/** The empty platform of a namespace that has none (3.4). */
export const defaultPlatform = (namespace: string, { defaultPlatform: name, operatorId }: Configuration) => ({
  metadata: { name, namespace, ...(operatorId !== "" && { annotations: { [OPERATOR_ID]: operatorId } }) },
});

/**
 * The reason why a platform of that name, which is never overwritten (5.16), is not the active one of its namespace; undefined
 * where there is none of that name.
 */
export function takenBy(
  platforms: readonly Platform[],
  { defaultPlatform: name, operatorId }: Configuration,
): string | undefined {
  const taken = platforms.find(({ metadata }) => metadata.name === name);
  if (taken === undefined) return undefined;
  const { namespace, annotations } = taken.metadata;
  const why = !isHandled(operatorId)(taken)
    ? `belongs to the operator with the id "${annotations[OPERATOR_ID] ?? ""}" (annotation ${OPERATOR_ID})`
    : isDeleting(taken)
      ? "is being deleted"
      : isSecondary(taken)
        ? `is secondary: remove its annotation ${SECONDARY}, or make another one`
        : "is not active";
  return `Namespace ${namespace} has no active SonataFlowPlatform: ${name} ${why}.`;
}
