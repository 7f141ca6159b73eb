import { type Fields, fieldOf, fieldsOf, isEmpty } from "../../../../../shared/json/fields.ts";
import { each, filled } from "../defaults/fill.ts";
import { exact, fields, itemsAdded, type Rule, theirs } from "../rules.ts";
import type { KindRule } from "./kind-rule.ts";

const tag = filled(
  {},
  {
    importPolicy: (value) => ({ importMode: "Legacy", ...fieldsOf(value) }),
    referencePolicy: (value) => ({ type: "Source", ...fieldsOf(value) }),
  },
);
const stream = filled({}, { spec: filled({ lookupPolicy: { local: false } }, { tags: each(tag) }) });

/** Tags are added and brought up to date, never removed. */
export const imageStream: KindRule = {
  others: "stay",
  complete: (body) => fieldsOf(stream(body)),
  shall: (wanted, there) =>
    fieldsOf(
      fields({
        spec: fields({
          lookupPolicy: exact,
          tags: itemsAdded((item) => fieldOf(item, "name"), fields({ importPolicy: exact, from: exact })),
        }),
      })(wanted, there),
    ),
};

const FLAGS = [
  "allowPrivilegedContainer",
  "allowHostDirVolumePlugin",
  "allowHostNetwork",
  "allowHostPorts",
  "allowHostPID",
  "allowHostIPC",
  "readOnlyRootFilesystem",
] as const;
const OTHERS = [
  "priority",
  "defaultAddCapabilities",
  "requiredDropCapabilities",
  "allowedCapabilities",
  "volumes",
  "allowedFlexVolumes",
  "defaultAllowPrivilegeEscalation",
  "allowPrivilegeEscalation",
  "seLinuxContext",
  "runAsUser",
  "fsGroup",
  "supplementalGroups",
  "users",
  "groups",
  "seccompProfiles",
  "allowedUnsafeSysctls",
  "forbiddenSysctls",
] as const;

const isNothing = (value: unknown): boolean => value === undefined || value === null || isEmpty(value);
/** The manifest's; nothing, null and an empty list are one, and stay as they stand: the schema wants some of them there. */
const exactOrNothing: Rule = (wanted, there) =>
  isNothing(wanted) ? (isNothing(there) ? there : (wanted ?? null)) : wanted;

/** Field by field. Privilege escalation is allowed unless the manifest says otherwise, as the server reads it. */
export const securityContextConstraints: KindRule = {
  others: "stay",
  complete: (body) => ({
    ...Object.fromEntries(FLAGS.map((flag) => [flag, false])),
    ...body,
    allowPrivilegeEscalation: body.allowPrivilegeEscalation ?? true,
  }),
  shall: (wanted, there) =>
    fieldsOf(
      fields(
        Object.fromEntries([
          ...FLAGS.map((flag) => [flag, exact] as const),
          ...OTHERS.map((name) => [name, exactOrNothing] as const),
        ]),
      )(wanted, there),
    ),
};

/** The schema wants one, and wants it empty. */
const withSpec = (body: Fields): Fields => ({ spec: {}, ...body });

/** The rule of ClusterOperators: its operator's, metadata aside; and that only while nothing else is going on. */
export const clusterOperator: KindRule = {
  others: "stay",
  complete: withSpec,
  sent: withSpec,
  shall: (wanted, there) => fieldsOf(fields({}, theirs)(wanted, there)),
  leaves: ({ mode }) => mode !== "Reconciling",
};
