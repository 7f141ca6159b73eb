import { createHash } from "node:crypto";
import { CliError } from "../../../../shared/function/command-errors.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import { askedOf, handlerOf } from "../../decide/manifest/index.ts";
import { saidOfGoing } from "../../decide/modules/index.ts";
import {
  FORMER_MANIFEST_FINALIZERS,
  KYMA_FINALIZER,
  LABELS,
  MANIFEST_FINALIZER,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
} from "../../kinds/index.ts";
import { placeOf } from "../module-status.ts";
import { type AKyma, type AManifest, countedSpec, kubeconfigLine, speaksInRuntime } from "../read.ts";

const MANIFEST_FINALIZERS: readonly string[] = [MANIFEST_FINALIZER, ...FORMER_MANIFEST_FINALIZERS];

/** An object that is taken away by force. */
export interface Forced {
  readonly kind: "Kyma" | "Manifest";
  readonly name: string;
  readonly uid: string;
  /** The finalizers that are taken off. */
  readonly releases: readonly string[];
  /** The finalizers of others: while they stand, it stays. */
  readonly others: readonly string[];
  /** The sentence in which its status says what it waits for. */
  readonly waits: string;
}
/** A module that is taken away by force. */
export interface ForcedModule extends Forced {
  readonly module: string;
  /** The objects in the runtime that nobody looks after any more, as its record has them. */
  readonly leaves: readonly string[];
  /** The trusted handlers that would be told of its end: its own, and those of its former versions. */
  readonly handlers: readonly string[];
  /** True where its Kyma lists it: it is installed anew. */
  readonly wanted: boolean;
  /** True where it is not being deleted yet. */
  readonly isNew: boolean;
}
/** A deletion by force, and all that it leaves behind. */
export interface ForcePlan {
  readonly namespace: string;
  readonly kyma: string;
  /** Undefined: the Kyma stays, or is gone already. */
  readonly itself: Forced | undefined;
  readonly modules: readonly ForcedModule[];
  /** The objects that the Kyma itself leaves in its runtime. */
  readonly leaves: readonly string[];
  /** The word that says which plan was read. */
  readonly token: string;
}

/**
 * The plan of a deletion by force, of a whole Kyma or of some of its modules. Pure.
 * @throws CliError for what there is not, and for what is not being deleted: nobody has tried the other way yet
 */
export function forcePlan(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  kyma: AKyma | undefined,
  manifests: readonly AManifest[],
  modules: readonly string[],
): ForcePlan {
  const own = manifests.filter(({ metadata: { labels } }) => labels[LABELS.kymaName] === name);
  if (kyma === undefined && own.length === 0)
    throw new CliError(
      "CLI_KYMA_MISSING",
      `There is no Kyma ${namespace}/${name}, and no Manifest of one: name another with -n (\`kubectl get kymas -A\` lists them).`,
    );
  const isWhole = modules.length === 0;
  if (isWhole && kyma !== undefined && !isDeleting(kyma))
    throw notDeleting(`The Kyma ${namespace}/${name}`, `\`kubectl delete kyma ${name} -n ${namespace}\``);
  const meant = isWhole
    ? own.filter((manifest) => kyma !== undefined || isDeleting(manifest))
    : [...new Set(modules)].map((module) => {
        const found = own.find(({ metadata: { labels } }) => labels[LABELS.moduleName] === module);
        if (found === undefined)
          throw new CliError(
            "CLI_KYMA_MODULE_MISSING",
            `Nothing is installed for the module ${module} of the Kyma ${namespace}/${name}: \`reveille kyma module list\` tells what is.`,
          );
        if (!isDeleting(found) && kyma !== undefined && isDeleting(kyma))
          throw new CliError(
            "CLI_KYMA_NOT_DELETING",
            `The module ${module} is not being deleted yet, and goes with the Kyma ${namespace}/${name}, which is: name that alone (\`reveille kyma force-delete ${name} -n ${namespace}\`).`,
          );
        if (!isDeleting(found))
          throw notDeleting(
            `The module ${module} of the Kyma ${namespace}/${name}`,
            wayToGo(module, found, kyma),
          );
        return found;
      });
  const listed = new Set(
    kyma === undefined || isDeleting(kyma) ? [] : countedSpec(kyma)?.modules?.map((one) => one.name),
  );
  const plan = {
    namespace,
    kyma: name,
    itself: isWhole && kyma !== undefined ? forcedKyma(kyma) : undefined,
    modules: meant.map((manifest) => forcedModule(manifest, listed)),
    leaves: isWhole && kyma !== undefined ? LEFT_BY_KYMA : [],
  };
  return { ...plan, token: tokenOf(plan) };
}

/** The objects that every runtime has beside its modules. */
const LEFT_BY_KYMA = [
  `Kyma ${RUNTIME_NAMESPACE}/${RUNTIME_KYMA}`,
  `Namespace ${RUNTIME_NAMESPACE}, with the copy of the catalog and what tells of changes`,
  "the definitions of Kyma, ModuleTemplate and ModuleReleaseMeta",
];

const notDeleting = (what: string, how: string): CliError =>
  new CliError(
    "CLI_KYMA_NOT_DELETING",
    `${what} is not being deleted: force is for what does not go by itself. First type ${how}.`,
  );

/** The line to type that has a module go in the ordinary way, which depends on who asked for it. */
function wayToGo(module: string, { metadata }: AManifest, kyma: AKyma | undefined): string {
  const { namespace, name, labels } = metadata;
  if (kyma === undefined) return `\`kubectl delete manifest ${name} -n ${namespace}\``;
  if (labels[LABELS.mandatoryModule] === "true")
    return `\`kubectl delete modulereleasemeta ${module} -n ${namespace}\`, which takes it from each cluster`;
  const disable = `reveille kyma module disable ${module}`;
  const { name: of } = kyma.metadata;
  if (!speaksInRuntime(kyma)) return `\`${disable} --kyma ${of} -n ${namespace}\``;
  return `\`${disable} -n ${RUNTIME_NAMESPACE} --kubeconfig FILE\` with the kubeconfig of the runtime (\`${kubeconfigLine(namespace, of)}\` prints it); where the runtime is lost, have a KymaPolicy deny the module`;
}

const forcedKyma = ({ metadata, status }: AKyma): Forced => ({
  kind: "Kyma",
  name: metadata.name,
  uid: metadata.uid,
  ...finalizersOf(metadata.finalizers, [KYMA_FINALIZER]),
  waits: status?.lastOperation?.operation || "its deletion has not begun yet",
});

function forcedModule(manifest: AManifest, listed: ReadonlySet<string>): ForcedModule {
  const { metadata, spec, status } = manifest;
  const module = metadata.labels[LABELS.moduleName] ?? metadata.name;
  const { resource } = spec ?? {};
  return {
    kind: "Manifest",
    name: metadata.name,
    uid: metadata.uid,
    module,
    ...finalizersOf(metadata.finalizers, MANIFEST_FINALIZERS),
    waits: saidOfGoing(manifest) || "its removal has not begun yet",
    leaves: [
      ...(status?.synced ?? []).map(placeOf),
      ...(resource
        ? [`${placeOf({ ...resource.metadata, kind: resource.kind })} and all other objects of its kind`]
        : []),
    ],
    handlers: handlersOf(manifest),
    wanted: listed.has(module),
    isNew: !isDeleting(manifest),
  };
}

/** The handler that a module names, and those that may have acted for its former versions. */
function handlersOf(manifest: AManifest): readonly string[] {
  const own = handlerOf(manifest);
  return [...new Set([...(own === undefined ? [] : [own]), ...askedOf(manifest)])];
}

const finalizersOf = (
  all: readonly string[],
  ours: readonly string[],
): Pick<Forced, "releases" | "others"> => ({
  releases: all.filter((one) => ours.includes(one)),
  others: all.filter((one) => !ours.includes(one)),
});

/** Fields that change by themselves on the way: they are no part of what is agreed to. */
const PASSING = ["waits", "isNew"];
const tokenOf = (plan: Omit<ForcePlan, "token">): string =>
  createHash("sha256")
    .update(JSON.stringify(plan, (field, value: unknown) => (PASSING.includes(field) ? undefined : value)))
    .digest("hex")
    .slice(0, 12);

/** The plan in words, with the command that carries it out. */
export function planText(plan: ForcePlan, command: string): string {
  const { namespace, kyma, itself, modules, leaves } = plan;
  const lines = modules.flatMap((module) => [
    `${module.module} (Manifest ${module.name}): ${module.waits}`,
    ...finalizerLines(module),
    ...(module.leaves.length === 0
      ? ["  It has recorded no object in the runtime."]
      : [
          "  These stay in the runtime, where they still stand; nobody looks after them, and the record of them is lost:",
        ]),
    ...module.leaves.map((object) => `    ${object}`),
    ...module.handlers.map(
      (handler) =>
        `  Its trusted handler ${handler} is not told that it goes: what it made outside stays, until somebody takes it away there.`,
    ),
    ...(module.wanted ? ["  The Kyma lists it: it is installed anew once this one is gone."] : []),
  ]);
  return [
    `By force, without its runtime: ${itself === undefined ? "modules of " : ""}the Kyma ${namespace}/${kyma}. Nothing is deleted in the runtime.`,
    ...lines,
    ...(itself === undefined ? [] : [`Kyma ${kyma}: ${itself.waits}`, ...finalizerLines(itself)]),
    ...(leaves.length === 0
      ? []
      : ["  These stay in the runtime as well:", ...leaves.map((object) => `    ${object}`)]),
    "Keep this list: it is not to be had later. The kubeconfig of the runtime, if it has one of its own:",
    `  ${kubeconfigLine(namespace, kyma)}`,
    "Nothing was changed. To do it, type:",
    `  ${command} --confirm ${plan.token}`,
  ].join("\n");
}

const finalizerLines = ({ releases, others }: Forced): readonly string[] => [
  ...(releases.length === 0 ? [] : [`  finalizers that are taken off: ${releases.join(", ")}`]),
  ...(others.length === 0
    ? []
    : [`  finalizers of others, which hold it until they are taken off: ${others.join(", ")}`]),
];
