import { isSet, LABELS } from "../../kinds/index.ts";

type Labels = Readonly<Record<string, string>>;

/** The labels of a ModuleTemplate that a Kyma lacks: while there is one, the Kyma may not have the module. */
export const lackingLabels = (template: Labels, kyma: Labels): readonly string[] =>
  [LABELS.beta, LABELS.internal].filter((label) => isSet(template, label) && !isSet(kyma, label));

/** True where a Kyma may see a ModuleTemplate. */
export const isVisible = (template: Labels, kyma: Labels): boolean =>
  lackingLabels(template, kyma).length === 0;
