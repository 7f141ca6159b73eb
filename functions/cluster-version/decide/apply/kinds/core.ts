import { fieldOf, fieldsOf, isRecord } from "../../../../../shared/json/fields.ts";
import { chain, each, filled } from "../defaults/fill.ts";
import { plain } from "../defaults/plain.ts";
import { added, exact, fields, ifSaid, items, overlaid, type Rule, theirs } from "../rules.ts";
import type { KindRule } from "./kind-rule.ts";
import { specRule } from "./workloads.ts";

const plainBody: KindRule["complete"] = (body) => fieldsOf(plain(body));

/** A kind whose metadata is merged; its body goes by a rule for each field. */
const bodyRule = (rule: Rule, complete = plainBody): KindRule => ({
  others: "stay",
  complete,
  shall: (wanted, there) => fieldsOf(rule(wanted, there)),
});

/** Metadata, and nothing else. */
export const namespace: KindRule = bodyRule(fields({}, theirs));

export const serviceAccount: KindRule = bodyRule(fields({ automountServiceAccountToken: exact }, theirs));

/** The listed keys are the manifest's, all others their writers'. Nothing may be lost of a text: it is not normalised. */
export const configMap: KindRule = bodyRule(
  fields({ data: added, binaryData: added, immutable: ifSaid }),
  (body) => body,
);

const servicePort = (value: unknown): unknown => {
  if (!isRecord(value)) return value;
  const { targetPort } = value;
  const same = targetPort === undefined || targetPort === 0 || targetPort === "";
  return { protocol: "TCP", ...value, ...(same && { targetPort: value.port }) };
};
const TYPES_WITH_NODE_PORTS = new Set<unknown>(["NodePort", "LoadBalancer"]);

/** A node port that the server chose stays as long as the type has one. */
const portOf = (type: unknown): Rule =>
  fields({ nodePort: TYPES_WITH_NODE_PORTS.has(type) ? ifSaid : exact }, exact);

const serviceSpec: Rule = (wanted, there) =>
  fields({
    type: exact,
    selector: exact,
    ports: items((item) => fieldOf(item, "name"), portOf(fieldOf(wanted, "type"))),
  })(wanted, there);

export const service = specRule(
  chain(plain, filled({ type: "ClusterIP" }, { ports: each(servicePort) })),
  serviceSpec,
);

/** Kinds whose controllers write into the specification themselves, and most of whose fields never change: what the manifest says. */
export const claimed: KindRule = bodyRule(overlaid);
