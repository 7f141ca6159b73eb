import { isDeleting } from "../../../shared/kube/objects.ts";
import { askedOf, defaultObjects, handlerOf, unconfigured } from "../decide/manifest/index.ts";
import { saidOfGoing } from "../decide/modules/index.ts";
import {
  ANNOTATIONS,
  FORMER_MANIFEST_FINALIZERS,
  KYMA_FINALIZER,
  LABELS,
  MANIFEST_FINALIZER,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
} from "../kinds/index.ts";
import { type AKyma, type AManifest, AWAY, kubeconfigLine } from "./read.ts";

type Kinded = { readonly apiVersion: string; readonly kind: string };

/** Something that is being removed, and what keeps it. */
interface Kept {
  /** The cause that its status names. */
  readonly waits: string;
  /** A line to type with the runtime's kubeconfig, which shows what keeps it; undefined: there is none that would. */
  readonly show: string | undefined;
  /** The finalizers of others on itself: it stays until they are taken off. */
  readonly others: readonly string[];
}
/** A module that is being removed, and what keeps it. */
export interface Blocked extends Kept {
  readonly namespace: string;
  readonly manifest: string;
  readonly module: string;
  /** Users' objects of its kind, something else of its runtime, or the service of the control plane that acts for it. */
  readonly by: "users" | "runtime" | "trusted handler";
  /** The trusted handlers that have yet to let go of it, those of its former versions too. */
  readonly handlers: readonly string[];
  /** The handler for which it waits in vain, for nobody has configured it, and a line to type that forgets it; undefined: there is none. */
  readonly forget: { readonly handler: string; readonly line: string } | undefined;
}
/** A Kyma that is being deleted, and what keeps it beside its modules. */
export interface BlockedKyma extends Kept {
  /** True: its runtime does not answer, and may be lost. */
  readonly isAway: boolean;
}
/** A Kyma with all that is being removed of it. */
export interface Blockers {
  /** Undefined: the Kyma itself is to stay, or is no more. */
  readonly kyma: BlockedKyma | undefined;
  readonly modules: readonly Blocked[];
  /** True: the Kyma is no more. */
  readonly isGone: boolean;
  /** The Manifests that stand though their Kyma is no more: somebody took its finalizer off. They are deleted after a grace. */
  readonly left: readonly string[];
  /** Modules that are being removed as the Kyma's status has it, where no Manifest is seen: in a runtime there is none. */
  readonly going: readonly { readonly module: string; readonly waits: string }[];
}

/**
 * All that is being removed of a Kyma, and itself. Pure.
 *
 * @param kyma undefined: it is no more
 * @param manifests its own
 */
export const blockersOf = (kyma: AKyma | undefined, manifests: readonly AManifest[]): Blockers => ({
  kyma: kyma !== undefined && isDeleting(kyma) ? blockedKyma(kyma) : undefined,
  modules: manifests.filter(isDeleting).map(blockedModule),
  isGone: kyma === undefined,
  left:
    kyma === undefined
      ? manifests.filter((manifest) => !isDeleting(manifest)).map(({ metadata }) => metadata.name)
      : [],
  going:
    manifests.length > 0
      ? []
      : (kyma?.status?.modules ?? []).flatMap(({ name, state, message }) =>
          state === "Deleting" ? [{ module: name, waits: message || "its removal has not begun yet" }] : [],
        ),
});

const FINALIZERS: readonly string[] = [KYMA_FINALIZER, MANIFEST_FINALIZER, ...FORMER_MANIFEST_FINALIZERS];
const othersOf = (finalizers: readonly string[]): readonly string[] =>
  finalizers.filter((one) => !FINALIZERS.includes(one));

/** The words of a Manifest that waits for users' objects. */
const USERS = /^waits for \d+ objects of the kind (\S+) to be deleted/;

function blockedModule(manifest: AManifest): Blocked {
  const { metadata } = manifest;
  const waits = saidOfGoing(manifest) || "its removal has not begun yet";
  const isUsers = USERS.test(waits);
  const handlers = askedOf(manifest);
  const isHandlers =
    (handlers.length > 0 || handlerOf(manifest) !== undefined) && waits.startsWith("the trusted handler ");
  const unknown = handlers.find((handler) => waits.startsWith(`${unconfigured(handler)}:`));
  return {
    namespace: metadata.namespace,
    manifest: metadata.name,
    module: metadata.labels[LABELS.moduleName] ?? metadata.name,
    by: isUsers ? "users" : isHandlers ? "trusted handler" : "runtime",
    handlers,
    forget:
      unknown === undefined ? undefined : { handler: unknown, line: forgetLine(manifest, handlers, unknown) },
    waits,
    show: resourceLine(manifest, waits) ?? shownOf(waits),
    others: othersOf(metadata.finalizers),
  };
}

/** The line that shows what is left of a module's own kinds: users' objects of one, or a default one. */
function resourceLine(manifest: AManifest, waits: string): string | undefined {
  const all = defaultObjects(manifest);
  const [, kind] = USERS.exec(waits) ?? [];
  if (kind !== undefined) {
    const [of] = all.filter((one) => one.kind === kind);
    return of && `kubectl get ${fullKind(of)} --all-namespaces`;
  }
  const [, place = ""] = /^waits for its default configuration object (\S+) to be gone/.exec(waits) ?? [];
  const own = all.find((one) => [one.name, `${one.namespace}/${one.name}`].includes(place));
  return own && objectLine(fullKind(own), place);
}

/** The line that shows an object of the runtime for which a removal waits. */
function shownOf(waits: string): string | undefined {
  const [, kind, place = ""] = /objects to be gone: (\S+) (\S+?)(?:,| to be gone| \(|$)/.exec(waits) ?? [];
  return kind === undefined || place === "" ? undefined : objectLine(kind, place);
}

/** The line that shows one object with its finalizers. */
function objectLine(kind: string, place: string): string {
  const [name, namespace] = place.split("/").reverse();
  return `kubectl get ${kind} ${name}${namespace === undefined ? "" : ` -n ${namespace}`} -o yaml`;
}

/** The line that takes a handler out of the record of a module, and leaves the others in it. */
function forgetLine({ metadata }: AManifest, handlers: readonly string[], unknown: string): string {
  const rest = handlers.filter((one) => one !== unknown);
  const change =
    rest.length === 0
      ? `${ANNOTATIONS.handledBy}-`
      : `${ANNOTATIONS.handledBy}=${rest.join(",")} --overwrite`;
  return `kubectl annotate manifest ${metadata.name} -n ${metadata.namespace} ${change}`;
}

/** A kind as kubectl takes it without knowing its plural: AlphaStore.v1.store.example.org; one of the core by its name alone. */
const fullKind = ({ apiVersion, kind }: Kinded): string => {
  const [group, version] = apiVersion.split("/");
  return version === undefined ? kind : `${kind}.${version}.${group}`;
};

function blockedKyma({ metadata, status }: AKyma): BlockedKyma {
  const waits = status?.lastOperation?.operation;
  const isBegun = status?.state === "Deleting" && waits !== undefined;
  return {
    waits: isBegun ? waits : "Its deletion has not begun yet.",
    show: isBegun ? lineFor(waits) : undefined,
    isAway: isBegun && waits.startsWith(AWAY),
    others: othersOf(metadata.finalizers),
  };
}

/** The line that shows the finalizers which keep what a Kyma waits for in its runtime: its copy there, or objects of a kind whose definition goes. */
function lineFor(waits: string): string | undefined {
  const [, kind, name = ""] =
    /^It waits for (Kyma|CustomResourceDefinition) (\S+) in the runtime to be gone/.exec(waits) ?? [];
  if (kind === undefined) return undefined;
  const columns = "NAME:.metadata.name,FINALIZERS:.metadata.finalizers";
  return kind === "Kyma"
    ? `kubectl get kymas ${RUNTIME_KYMA} -n ${RUNTIME_NAMESPACE} -o custom-columns=${columns}`
    : // Users may have objects of the kind anywhere.
      `kubectl get ${name} --all-namespaces -o custom-columns=NAMESPACE:.metadata.namespace,${columns}`;
}

/** The causes that keep a Kyma and its modules, and the lines to type. */
export function blockersText(
  name: string,
  namespace: string,
  { kyma, modules, left, isGone, going }: Blockers,
): string {
  if (kyma === undefined && modules.length + left.length === 0 && going.length > 0)
    return [
      ...going.map(({ module, waits }) => `${module}: ${waits}`),
      "Its Manifest lies in the control plane; that is where `reveille kyma blockers` says more.",
    ].join("\n");
  if (kyma === undefined && modules.length + left.length === 0)
    return `No module of ${namespace}/${name} is being removed, and itself is not being deleted.`;
  const isUsers = modules.some(({ by }) => by === "users");
  const isThere = modules.some(({ by }) => by !== "trusted handler") || kyma?.show !== undefined;
  return [
    ...(kyma === undefined ? [] : kymaLines(name, namespace, kyma)),
    ...leftLines(name, namespace, left),
    ...modules.flatMap(moduleLines),
    ...(isUsers
      ? [
          `Delete them there with \`kubectl delete\`${kyma === undefined && !isGone ? ", or keep the module: `reveille kyma module enable`" : ""}.`,
        ]
      : []),
    ...(isThere ? ["The kubeconfig of the runtime:", `  ${kubeconfigLine(namespace, name)}`] : []),
  ].join("\n");
}

const kymaLines = (name: string, namespace: string, { waits, show, isAway, others }: BlockedKyma) => [
  `Kyma ${namespace}/${name}: ${waits}`,
  ...(show === undefined
    ? []
    : [`  see in the runtime which finalizers hold it, for whoever set them to take off: ${show}`]),
  ...(isAway ? [`  if the runtime is lost: reveille kyma force-delete ${name} -n ${namespace}`] : []),
  ...othersLines(others),
];

const leftLines = (name: string, namespace: string, left: readonly string[]): readonly string[] =>
  left.length === 0
    ? []
    : [
        `The Kyma ${namespace}/${name} is no more. What it has left is removed from the runtime some minutes after that: ${left.join(", ")}`,
        `  have it removed now: kubectl delete manifest ${left.join(" ")} -n ${namespace}`,
      ];

const moduleLines = ({ module, manifest, by, waits, show, others, handlers, forget }: Blocked) => [
  `${module} (Manifest ${manifest})${by === "trusted handler" ? ":" : ""} ${waits}`,
  ...(show === undefined ? [] : [`  see them in the runtime: ${show}`]),
  ...(handlers.length === 0
    ? []
    : [`  trusted handlers that are still to be told that it goes: ${handlers.join(", ")}`]),
  ...(forget === undefined
    ? []
    : [`  if nothing of ${forget.handler} is left outside, have it forgotten: ${forget.line}`]),
  ...(by === "trusted handler" && forget === undefined
    ? ["  nothing of it is left in the runtime: the log of that service of the control plane says more"]
    : []),
  ...othersLines(others),
];

const othersLines = (others: readonly string[]): readonly string[] =>
  others.length === 0
    ? []
    : [`  it bears finalizers of others, which they have to take off: ${others.join(", ")}`];
