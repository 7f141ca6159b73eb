import { LABELS } from "../../kinds/index.ts";
import type { Window } from "./window.ts";

/** The attributes of a runtime that rules go by, in the spelling of the policy file. */
export const ATTRIBUTES = ["globalAccountID", "plan", "region", "platformRegion"] as const;
export type Attribute = (typeof ATTRIBUTES)[number];
/** A runtime as rules see it. */
export type Runtime = Readonly<Record<Attribute, string>>;

/** A regular expression of RE2. */
export interface Pattern {
  readonly text: string;
  readonly isIn: (value: string) => boolean;
}
/** A rule: the windows of the runtimes in which one of its patterns is found. */
export interface Rule {
  readonly match: Readonly<Partial<Record<Attribute, Pattern>>>;
  readonly windows: readonly Window[];
}
/** The maintenance policy of all runtimes. */
export interface MaintenancePolicy {
  readonly rules: readonly Rule[];
  readonly defaultWindow: Window | undefined;
}

/** The runtime of a Kyma with these labels. What a label does not say is empty. */
export const runtimeOf = (labels: Readonly<Record<string, string>>): Runtime => ({
  globalAccountID: labels[LABELS.globalAccountId] ?? "",
  plan: labels[LABELS.plan] ?? "",
  region: labels[LABELS.region] ?? "",
  platformRegion: labels[LABELS.platformRegion] ?? "",
});

/** True where one of the rule's patterns is found: upstream's rules are met by any of them. */
export const isMetBy = ({ match }: Rule, runtime: Runtime): boolean =>
  ATTRIBUTES.some((name) => runtime[name] !== "" && match[name]?.isIn(runtime[name]) === true);
