import { fieldOf, fieldsOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import { isLabelValue } from "../../../../shared/kube/label-value.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import { isSubdomain } from "../../../../shared/kube/subdomain.ts";
import type { ModuleTemplateSpec } from "../../kinds/index.ts";
import { isRange, noRange } from "../dependencies/index.ts";
import {
  alikeImages,
  definedScopes,
  isDefinition,
  isWorkload,
  metadataFault,
  scopeKey,
  versionsOf,
} from "../manifest/index.ts";
import { fixedFields } from "./fixed.ts";

/** One finding about a version of a module. */
export interface Finding {
  /** fault: it cannot be installed, or not so. warning: it can, and somebody should know. */
  readonly level: "fault" | "warning";
  readonly message: string;
}
/** A version of a module with the objects of its artifact. */
export interface ModuleVersion {
  readonly version: string;
  readonly spec: ModuleTemplateSpec;
  readonly objects: readonly KubeObject[];
  /** Objects that stand there again, and otherwise: they do not count. */
  readonly doubled: readonly KubeObject[];
  /** Files of its tar that do not count. */
  readonly passedOver: readonly string[];
  /** The images that its component names. */
  readonly images: readonly string[];
  /** Keys that stand twice in one object of it. */
  readonly doubledKeys: readonly string[];
}

const fault = (message: string): Finding => ({ level: "fault", message });
const warning = (message: string): Finding => ({ level: "warning", message });

/** The findings about a version of a module. `before`: the version that it takes the place of. */
export const lintModule = (module: ModuleVersion, before: ModuleVersion | undefined): readonly Finding[] => [
  ...ofContent(module),
  ...module.objects.flatMap(ofMetadata),
  ...ofImages(module),
  ...ofManager(module),
  ...ofDefaultObject(module),
  ...ofRequirements(module),
  ...module.objects.flatMap(ofRights),
  ...(before === undefined ? [] : ofUpgrade(before, module)),
];

/** The group of roles and their bindings, whose names are as free as a path lets them be. */
const FREELY_NAMED = "rbac.authorization.k8s.io";

/** Findings about names and labels that no server takes. */
function ofMetadata({ apiVersion, kind, metadata }: KubeObject): readonly Finding[] {
  const { name, namespace, labels } = metadata;
  const names = [
    ...(parseApiVersion(apiVersion).group === FREELY_NAMED ? [] : [["name", name] as const]),
    ...(namespace ? [["namespace", namespace] as const] : []),
  ];
  return [
    ...names
      .filter(([, text]) => !isSubdomain(text))
      .map(([field, text]) =>
        fault(
          `${kind} ${name}: its ${field} ${JSON.stringify(text)} may have lower case letters, digits, - and . alone: the API server would refuse it.`,
        ),
      ),
    ...Object.entries(fieldsOf(labels))
      .filter(([, value]) => value !== "" && !isLabelValue(textOf(value)))
      .map(([key, value]) =>
        fault(
          `${kind} ${name}: its label ${key} cannot be ${JSON.stringify(value)}: the API server would refuse it.`,
        ),
      ),
  ];
}

/** Images are told apart by their last word and tag alone (3.3). */
const ofImages = ({ images }: ModuleVersion): readonly Finding[] =>
  alikeImages(images).map(([one, other]) =>
    fault(
      `Its component has the images ${one} and ${other}, which have one name and tag: nobody can say which of them a container is to have. Give one of them another tag.`,
    ),
  );

/** Namespaces that every runtime has. */
const EVERYWHERE = ["default", "kube-system", "kube-public", "kyma-system"];

/** Findings about what would not be there once the module is. */
function ofContent({ objects, doubled, passedOver, doubledKeys }: ModuleVersion): readonly Finding[] {
  const brought = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
  const homes = new Set(objects.filter(isWorkload).map(({ metadata }) => metadata.namespace || "default"));
  return [
    ...(passedOver.length === 0
      ? []
      : [warning(`Its tar also holds ${passedOver.join(", ")}: one file counts, with all objects.`)]),
    ...doubledKeys.map((key) => warning(`The artifact's ${key} stands there twice: the last one counts.`)),
    ...doubled.map(({ kind, metadata: { namespace, name } }) =>
      warning(
        `${kind} ${[namespace, name].filter(Boolean).join("/")} is there twice, and otherwise the second time: the first counts.`,
      ),
    ),
    ...objects
      .filter((object) => isDefinition(object) && parseApiVersion(object.apiVersion).version !== "v1")
      .map(({ apiVersion, metadata: { name } }) =>
        fault(
          `CustomResourceDefinition ${name} is of ${apiVersion}, which no cluster serves since Kubernetes 1.22: write it as v1.`,
        ),
      ),
    ...[...homes]
      .filter((home) => !EVERYWHERE.includes(home) && !brought.includes(home))
      .map((home) =>
        warning(`Its operator lies in the namespace ${home}, which it does not bring: it waits for that.`),
      ),
  ];
}

function ofManager({ spec, objects }: ModuleVersion): readonly Finding[] {
  if (objects.length === 0 && spec.trustedHandler === undefined)
    return [warning("Its artifact holds no object: nothing would be installed.")];
  if (spec.manager === undefined)
    return objects.some(isWorkload)
      ? []
      : [warning("It has no Deployment or StatefulSet: it counts as Ready as soon as it is applied.")];
  const { group, kind, name, namespace } = spec.manager;
  const isThere = objects.some(
    (object) =>
      parseApiVersion(object.apiVersion).group === group &&
      object.kind === kind &&
      object.metadata.name === name &&
      // An object that lies in no namespace is found whatever the reference says.
      (!namespace || isDefinition(object) || (object.metadata.namespace || "default") === namespace),
  );
  return isThere
    ? []
    : [
        fault(
          `spec.manager names the ${kind} ${[namespace, name].filter(Boolean).join("/")}, which the artifact lacks: it would never be Ready.`,
        ),
      ];
}

function ofDefaultObject({ spec, objects }: ModuleVersion): readonly Finding[] {
  if (spec.data === undefined || spec.data === null) return [];
  const [apiVersion, kind] = [textOf(spec.data.apiVersion), textOf(spec.data.kind)];
  // The schema's faults are told beside these.
  if (apiVersion === "" || kind === "") return [];
  const { name = "it", ...rest } = fieldsOf(spec.data.metadata);
  const wrong = metadataFault({ metadata: { ...rest, name: textOf(name) || String(name) } });
  if (wrong !== undefined) return [fault(`spec.data: ${wrong}: the API server would refuse it.`)];
  const { group, version } = parseApiVersion(apiVersion);
  if (!definedScopes(objects).has(scopeKey({ group, kind })))
    return [
      warning(
        `spec.data is a ${kind} of ${apiVersion}, a kind that the artifact does not define: it waits until somebody else does.`,
      ),
    ];
  const served = versionsOf(objects, { group, kind });
  return served.includes(version)
    ? []
    : [
        fault(
          `spec.data is a ${kind} of ${apiVersion}, of which the artifact serves ${served.join(", ") || "no version"}: it would wait for ever.`,
        ),
      ];
}

function ofRequirements({ spec }: ModuleVersion): readonly Finding[] {
  return (spec.requires ?? []).flatMap(({ module, range }) =>
    range === undefined || isRange(range)
      ? []
      : [
          fault(
            `spec.requires names the module ${module}, of which no version would ever do: ${noRange(range)}.`,
          ),
        ],
  );
}

/** Rights that nobody should give away by a module. */
function ofRights(object: KubeObject): readonly Finding[] {
  const name = `${object.kind} ${object.metadata.name}`;
  if (object.kind === "ClusterRoleBinding" || object.kind === "RoleBinding") {
    const role = textOf(fieldOf(object.roleRef, "name"));
    return role === "cluster-admin" ? [warning(`${name} makes its subjects cluster-admin.`)] : [];
  }
  if (object.kind !== "ClusterRole" && object.kind !== "Role") return [];
  const isBoundless = listOf(object.rules).some((rule) =>
    (["apiGroups", "resources", "verbs"] as const).every((field) =>
      listOf(fieldOf(rule, field)).includes("*"),
    ),
  );
  return isBoundless ? [warning(`${name} grants everything on everything.`)] : [];
}

function ofUpgrade(before: ModuleVersion, after: ModuleVersion): readonly Finding[] {
  const placed = (object: KubeObject): string =>
    JSON.stringify([
      parseApiVersion(object.apiVersion).group,
      object.kind,
      object.metadata.namespace || "default",
      object.metadata.name,
    ]);
  if (after.objects.length === 0 && before.objects.length > 0 && after.spec.trustedHandler === undefined)
    return [fault(`${before.version} has objects and it has none: it would not take its place.`)];
  const had = new Map(before.objects.map((object) => [placed(object), object]));
  return after.objects.flatMap((object) => {
    const old = had.get(placed(object));
    if (old === undefined) return [];
    const name = `${object.kind} ${object.metadata.name}`;
    return fixedFields(old, object).map((field) =>
      fault(
        `${name}: ${field} is not what ${before.version} has, and cannot be changed: the upgrade would be refused.`,
      ),
    );
  });
}
