import { parseApiVersion } from "../../../shared/kube/object.ts";
import { dependenciesOf } from "../decide/decorate/index.ts";
import { defaultInstanceName, type PackageObjects } from "../decide/package/index.ts";
import { successorOf } from "../decide/served/index.ts";
import { childVersion, type Planned, plannedObjects } from "../decide/tasks/index.ts";

/** The kinds of packages' objects, with all defaults, each as `apps/v1 Deployment`. */
export interface PackageKinds {
  /** Those that the templates hold. */
  readonly written: readonly string[];
  /** Those that their pods only see: where one cannot be read, its change restarts no pods. */
  readonly seen: readonly string[];
  /** In words what cannot be told with the defaults alone. */
  readonly faults: readonly string[];
}

/** The kinds of a package and of those of its children. */
export function kindsOf(all: readonly PackageObjects[]): PackageKinds {
  const planned = all.flatMap(plansOf);
  const objects = planned.flatMap((plan) => plan.objects.map(({ object }) => object));
  const written = new Set([
    ...objects.map((object) => `${successorOf(object)?.apiVersion ?? object.apiVersion} ${object.kind}`),
    ...all.flatMap(pipedBy),
  ]);
  const seen = new Set(objects.flatMap(dependenciesOf).map(({ kind }) => `v1 ${kind}`));
  return {
    written: [...written].sort(),
    seen: [...seen].filter((kind) => !written.has(kind)).sort(),
    faults: [...planned.flatMap(({ faults }) => faults), ...all.flatMap((one) => absentChildren(one, all))],
  };
}

function plansOf({ operatorVersion: version }: PackageObjects): readonly Planned[] {
  const { name } = version.metadata;
  const instance = {
    metadata: {
      name: defaultInstanceName(version.spec?.operator?.name ?? name),
      namespace: "default",
      uid: "",
    },
    spec: { operatorVersion: { name } },
  };
  return Object.keys(version.spec?.plans ?? {}).map((plan) => plannedObjects({ version, plan, instance }));
}

/** The children whose packages are not at hand: the cluster has them. */
const absentChildren = (
  { operatorVersion: { spec } }: PackageObjects,
  all: readonly PackageObjects[],
): readonly string[] =>
  (spec?.tasks ?? []).flatMap(({ kind, name = "", spec: task }) =>
    kind !== "KudoOperator" ||
    task === undefined ||
    all.some(({ operatorVersion: { metadata } }) => metadata.name === childVersion(task))
      ? []
      : [
          `the task ${name} makes an Instance of ${task.package ?? ""}: ask for the kinds of that package too`,
        ],
  );

/** True where a task of the package runs a Pod and reads its files. */
export const runsPods = ({ operatorVersion: { spec } }: PackageObjects): boolean =>
  (spec?.tasks ?? []).some(({ kind }) => kind === "Pipe");

const pipedBy = ({ operatorVersion: { spec } }: PackageObjects): readonly string[] =>
  (spec?.tasks ?? []).flatMap((task) =>
    task.kind === "Pipe" ? ["v1 Pod", ...(task.spec?.pipe ?? []).map(({ kind = "" }) => `v1 ${kind}`)] : [],
  );

/** The plural that the API server has for a kind, but for the few that are irregular. */
const pluralOf = (kind: string): string => {
  const lower = kind.toLowerCase();
  if (lower === "endpoints") return lower;
  if (/(s|x|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
};

/** The rules for kinds, one for each API group. */
const rulesFor = (kinds: readonly string[], verbs: readonly string[]): readonly object[] => {
  const groups = Map.groupBy(
    kinds.map((text) => {
      const [apiVersion = "", kind = ""] = text.split(" ");
      return { group: parseApiVersion(apiVersion).group, plural: pluralOf(kind) };
    }),
    ({ group }) => group,
  );
  return [...groups].map(([group, resources]) => ({
    apiGroups: [group],
    resources: resources.map(({ plural }) => plural),
    verbs,
  }));
};

/** The role with which the objects of a package can be written. */
export function roleOf(
  name: string,
  { written, seen }: Pick<PackageKinds, "written" | "seen">,
  withExec: boolean,
): object {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: `kudo-package-${name}` },
    rules: [
      ...rulesFor(written, ["get", "list", "watch", "create", "patch", "delete"]),
      ...rulesFor(seen, ["get"]),
      // The files of a Pipe task are read out of its Pod: over a WebSocket, which is a GET.
      ...(withExec ? [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["create", "get"] }] : []),
    ],
  };
}
