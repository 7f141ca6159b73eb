import { fieldOf, fieldsOf, isRecord } from "../../../../../shared/json/fields.ts";
import { each, filled } from "../defaults/fill.ts";
import { plain } from "../defaults/plain.ts";
import { exact, fields, theirs } from "../rules.ts";
import type { KindRule } from "./kind-rule.ts";

const GROUP = "rbac.authorization.k8s.io";

const subject = (value: unknown): unknown =>
  isRecord(value) && value.kind !== "ServiceAccount" ? { apiGroup: GROUP, ...value } : value;
const bindings = filled({}, { subjects: each(subject), roleRef: filled({ apiGroup: GROUP }) });

const complete: KindRule["complete"] = (body) => fieldsOf(bindings(plain(body)));

export const role: KindRule = {
  others: "stay",
  complete,
  shall: (wanted, there) => fieldsOf(fields({ rules: exact })(wanted, there)),
};

/** The rules of an aggregated role are written by the controller that aggregates. */
export const clusterRole: KindRule = {
  others: "stay",
  complete,
  shall: (wanted, there) => {
    const aggregated = fieldOf(wanted, "aggregationRule") !== undefined;
    return fieldsOf(fields({ rules: aggregated ? theirs : exact, aggregationRule: exact })(wanted, there));
  },
};

export const binding: KindRule = {
  others: "stay",
  complete,
  shall: (wanted, there) => fieldsOf(fields({ subjects: exact, roleRef: exact })(wanted, there)),
};
