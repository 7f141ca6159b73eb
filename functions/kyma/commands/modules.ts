import { isDeleting } from "../../../shared/kube/objects.ts";
import { table } from "../../../shared/text.ts";
import { saidBy } from "../decide/modules/index.ts";
import { LABELS } from "../kinds/index.ts";
import { type AKyma, type AManifest, countedSpec } from "./read.ts";

/** One module of a Kyma, as it is wished and as it stands. */
export interface ListedModule {
  readonly module: string;
  /** True where the Kyma's spec lists it, or that of its user in the runtime. */
  readonly wanted: boolean;
  readonly managed: boolean;
  /** Undefined where it is pinned to a version. */
  readonly channel: string | undefined;
  readonly version: string | undefined;
  readonly state: string | undefined;
  readonly message: string | undefined;
}
/** The modules of a Kyma. */
export interface ListedKyma {
  readonly namespace: string;
  readonly name: string;
  readonly channel: string | undefined;
  readonly state: string | undefined;
  readonly modules: readonly ListedModule[];
  /** The conditions that are not met, with what they say. */
  readonly unmet: readonly string[];
}

/** The modules of a Kyma: those of its spec, or of what its user wrote in the runtime and was accepted, those that are being removed, and those that each cluster gets. Pure. */
export function listedModules(kyma: AKyma, manifests: readonly AManifest[]): ListedKyma {
  const { metadata, status } = kyma;
  const counted = countedSpec(kyma);
  // Nothing of one that is being deleted is wanted any more.
  const spec = isDeleting(kyma) ? undefined : counted;
  const wished = new Map(spec?.modules?.map((module) => [module.name, module]));
  const told = new Map(status?.modules?.map((module) => [module.name, module]));
  const names = [...new Set([...wished.keys(), ...told.keys()])];
  const own = names.map((name): ListedModule => {
    const [wish, module] = [wished.get(name), told.get(name)];
    return {
      module: name,
      wanted: wish !== undefined,
      managed: wish?.managed ?? true,
      channel: module?.channel ?? (wish?.version ? undefined : wish?.channel || (wish && spec?.channel)),
      version: module?.version ?? wish?.version,
      state: module?.state,
      message: module?.message,
    };
  });
  const mandatory = manifests
    .filter(
      ({ metadata: { labels } }) =>
        labels[LABELS.kymaName] === metadata.name && labels[LABELS.mandatoryModule] === "true",
    )
    .map(
      (manifest): ListedModule => ({
        module: manifest.metadata.labels[LABELS.moduleName] ?? manifest.metadata.name,
        wanted: false,
        managed: true,
        channel: "(each cluster)",
        version: manifest.spec?.version,
        state: manifest.status?.state,
        message: saidBy(manifest, manifest.status?.state ?? ""),
      }),
    );
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    channel: counted?.channel,
    state: status?.state,
    modules: [...own, ...mandatory],
    unmet: (status?.conditions ?? []).flatMap(({ type, status: value, message }) =>
      value === "True" ? [] : [`${type} is ${value}${message ? `: ${message}` : ""}`],
    ),
  };
}

/** The modules of a Kyma as a table, and below it what else is unmet. */
export function modulesText({ namespace, name, channel, state, modules, unmet }: ListedKyma): string {
  const head = `${namespace}/${name}: ${state || "not looked at yet"}, channel ${channel ?? "none"}`;
  if (modules.length === 0) return [head, "It has no modules.", ...unmet].join("\n");
  const rows = modules.map((module) => [
    module.module,
    module.channel,
    module.version,
    module.state ?? "not looked at yet",
    [
      module.managed ? "" : "left alone",
      module.wanted || module.channel === "(each cluster)" ? "" : "not in the spec",
      module.message ?? "",
    ]
      .filter((part) => part !== "")
      .join(": "),
  ]);
  return [head, table(["module", "channel", "version", "state", "why"], rows), ...unmet].join("\n");
}
