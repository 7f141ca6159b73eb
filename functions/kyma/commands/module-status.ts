import { CliError } from "../../../shared/function/command-errors.ts";
import { isDeleting } from "../../../shared/kube/objects.ts";
import { LABELS } from "../kinds/index.ts";
import { type ListedModule, listedModules } from "./modules.ts";
import { type AKyma, type AManifest, AWAY, countedSpec } from "./read.ts";

/** One module of a Kyma, with what is installed for it. */
export interface ToldModule extends ListedModule {
  readonly namespace: string;
  readonly kyma: string;
  readonly customResourcePolicy: string | undefined;
  /** The reason why nobody can tell how it stands in its runtime now; undefined where that answers, or nobody has asked. */
  readonly away: string | undefined;
  /** True for the Kyma of a runtime: Manifests lie in the control plane. */
  readonly isInRuntime: boolean;
  /** True while an upgrade waits for its maintenance window. */
  readonly maintenance: boolean;
  /** Undefined: nothing is installed for it. */
  readonly manifest:
    | {
        readonly name: string;
        readonly version: string | undefined;
        readonly state: string | undefined;
        /** The sentence of its last operation. */
        readonly says: string | undefined;
        readonly deletingSince: string | undefined;
        /** The objects that it has installed, as its record has them. */
        readonly objects: readonly string[];
        /** Its default configuration object. */
        readonly resource: string | undefined;
        readonly unmet: readonly string[];
      }
    | undefined;
}

/** The state of a module of a Kyma. Pure. @throws CliError for one that the Kyma has nothing to do with */
export function toldModule(kyma: AKyma, manifests: readonly AManifest[], module: string): ToldModule {
  const { name, namespace } = kyma.metadata;
  const listed = listedModules(kyma, manifests).modules.find((one) => one.module === module);
  const manifest = manifests.find(
    ({ metadata: { labels } }) => labels[LABELS.kymaName] === name && labels[LABELS.moduleName] === module,
  );
  if (listed === undefined && manifest === undefined)
    throw new CliError(
      "CLI_KYMA_MODULE_MISSING",
      `The Kyma ${namespace}/${name} has no module ${module}: \`reveille kyma module list\` tells which it has.`,
    );
  return {
    ...(listed ?? { module, wanted: false, managed: true, ...NOTHING }),
    namespace,
    kyma: name,
    away: awayOf(kyma),
    isInRuntime: kyma.metadata.labels[LABELS.watchedBy] !== undefined,
    customResourcePolicy: countedSpec(kyma)?.modules?.find((one) => one.name === module)
      ?.customResourcePolicy,
    maintenance: kyma.status?.modules?.find((one) => one.name === module)?.maintenance ?? false,
    manifest: manifest && told(manifest),
  };
}
/** The words on a runtime that does not answer: nobody sets the condition of a Kyma that goes, whose operation says it. */
function awayOf(kyma: AKyma): string | undefined {
  const { status } = kyma;
  const operation = status?.lastOperation?.operation ?? "";
  if (isDeleting(kyma)) return operation.startsWith(AWAY) ? operation : undefined;
  const found = status?.conditions?.find(({ type }) => type === "Reachable");
  return found?.status === "False" ? `Reachable is False: ${found.message || found.reason}` : undefined;
}
const NOTHING = { channel: undefined, version: undefined, state: undefined, message: undefined };

const told = ({ metadata, spec, status }: AManifest): NonNullable<ToldModule["manifest"]> => ({
  name: metadata.name,
  version: spec?.version,
  state: status?.state,
  says: status?.lastOperation?.operation,
  deletingSince: metadata.deletionTimestamp,
  objects: (status?.synced ?? []).map(placeOf),
  resource: spec?.resource ? placeOf({ ...spec.resource.metadata, kind: spec.resource.kind }) : undefined,
  unmet: (status?.conditions ?? []).flatMap(({ type, status: value, message }) =>
    value === "True" ? [] : [`${type} is ${value}${message ? `: ${message}` : ""}`],
  ),
});

/** `ConfigMap default/one`. */
export const placeOf = (of: {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}): string => `${of.kind} ${of.namespace ? `${of.namespace}/` : ""}${of.name ?? ""}`;

/** A module in lines. */
export function toldText(told: ToldModule): string {
  const { namespace, kyma, module, state, message, manifest } = told;
  const wish = !told.wanted
    ? told.channel === "(each cluster)"
      ? "each cluster gets it"
      : "not in the spec of the Kyma"
    : [
        told.managed ? "looked after" : "left alone",
        told.channel === undefined ? `version ${told.version ?? "none"}` : `channel ${told.channel}`,
        `default object: ${told.customResourcePolicy ?? "CreateAndDelete"}`,
      ].join(", ");
  const lines = [
    `${namespace}/${kyma}: ${module} ${told.version ?? ""}`.trimEnd(),
    `state: ${state || "not looked at yet"}${told.maintenance ? ", waits for its maintenance window" : ""}`,
    ...(message ? [`why: ${message}`] : []),
    `wish: ${wish}`,
    ...(told.away === undefined ? [] : [`known last, as its runtime does not answer. ${told.away}`]),
  ];
  if (manifest === undefined)
    return [
      ...lines,
      told.isInRuntime && told.version !== undefined
        ? "What is installed for it stands in the control plane."
        : "Nothing is installed for it.",
    ].join("\n");
  return [
    ...lines,
    `Manifest: ${manifest.name}, version ${manifest.version ?? "none"}, ${manifest.state || "not looked at yet"}`,
    ...(manifest.deletingSince ? [`being deleted since ${manifest.deletingSince}`] : []),
    ...(manifest.says ? [`says: ${manifest.says}`] : []),
    ...manifest.unmet,
    ...(manifest.resource ? [`default object: ${manifest.resource}`] : []),
    `objects: ${manifest.objects.length}`,
    ...manifest.objects.map((object) => `  ${object}`),
  ].join("\n");
}
