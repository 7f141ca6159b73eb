import type { Obj, Time } from "../../../../shared/function/index.ts";
import { isSet, type Kyma, LABELS } from "../../kinds/index.ts";
import { conditionsOf, good, type KymaCondition, nothingToSay } from "../conditions/index.ts";

/** The condition of a Kyma that a label leaves alone; without the label there is none. */
export const suspensionPass = (
  { metadata, status }: Pick<Obj<typeof Kyma>, "metadata" | "status">,
  now: Time,
): { readonly status?: { readonly conditions: KymaCondition<"Suspended">[] } } =>
  isSet(metadata.labels, LABELS.skipReconciliation)
    ? {
        status: {
          conditions: conditionsOf(
            status,
            ["Suspended"],
            [
              good(
                "Suspended",
                `Its label ${LABELS.skipReconciliation} says that it is left alone: its state and its modules stay as they are. Only its deletion goes on, and modules that each cluster gets go with their releases. Take the label off.`,
              ),
            ],
            now,
          ),
        },
      }
    : nothingToSay(status, ["Suspended"]);
