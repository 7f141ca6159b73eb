import type { Obj } from "../../../../shared/function/index.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import {
  ANNOTATIONS,
  isSet,
  LABELS,
  type Manifest,
  type ModuleStatus,
  type ModuleTemplate,
  type State,
  type TrackedObject,
} from "../../kinds/index.ts";
import { type Effective, sentenceOf } from "../policy/index.ts";
import type { Resolution } from "../resolution/index.ts";

type Installed = Obj<typeof Manifest>;

/**
 * The state of what a Manifest installs.
 * @param artifact the digest of the artifact that it is brought to: while another one is applied it is not ready yet
 */
export function stateOf(manifest: Installed, artifact?: string): State {
  if (isDeleting(manifest)) return "Deleting";
  const applied = manifest.metadata.annotations[ANNOTATIONS.syncedArtifact];
  if (artifact !== undefined && applied !== undefined && applied !== artifact) return "Processing";
  return manifest.status?.state || "Processing";
}

/**
 * The words of a Manifest that is not ready, and of one that a label leaves alone, however it stands: nothing else would tell why it does not change.
 */
export function saidBy(manifest: Installed | undefined, state: State): string | undefined {
  if (manifest === undefined) return undefined;
  const { name, labels } = manifest.metadata;
  if (isSet(labels, LABELS.skipReconciliation) && !isDeleting(manifest))
    return `Its Manifest ${name} is left alone until its label ${LABELS.skipReconciliation} is taken off.`;
  return state === "Ready" ? undefined : manifest.status?.lastOperation?.operation;
}

/** The words of a Manifest about its going; undefined where it has none yet: what it said before is about a module that stays. */
export const saidOfGoing = ({ status }: Pick<Installed, "status">): string | undefined =>
  status?.state === "Deleting" || status?.state === "Unmanaged" ? status.lastOperation?.operation : undefined;

/** The references of a module's status to its Manifest. */
export function ofManifest(manifest: Installed): Partial<ModuleStatus> {
  const { apiVersion, kind, metadata, spec } = manifest;
  const { name, namespace, labels, annotations } = metadata;
  const channel = labels[LABELS.channel];
  const component = annotations[ANNOTATIONS.ocmComponentName];
  const resource = spec?.resource ?? undefined;
  return {
    ...(channel !== undefined && { channel }),
    ...(spec?.version !== undefined && { version: spec.version }),
    ...(component !== undefined && { ocmComponentName: component, fqdn: component }),
    manifest: { apiVersion, kind, metadata: { name, namespace } },
    ...(resource !== undefined && {
      resource: {
        apiVersion: resource.apiVersion,
        kind: resource.kind,
        metadata: { name: resource.metadata?.name ?? "", namespace: resource.metadata?.namespace ?? "" },
      },
    }),
  };
}

/** The reference to the ModuleTemplate of a version. */
export const referenceTo = ({
  apiVersion,
  kind,
  metadata: { name, namespace, generation },
}: Obj<typeof ModuleTemplate>): TrackedObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace, generation },
});

/** Sentences as one text. What a cluster or a server said may lack its stop. */
export const joined = (sentences: readonly string[]): string =>
  sentences
    .map((sentence, index) =>
      index === sentences.length - 1 || /[.!?]$/.test(sentence) ? sentence : `${sentence}.`,
    )
    .join(" ");

/** The sentences of a module's status, as one text; undefined where there are none. */
export function messageOf(sentences: readonly (string | undefined)[]): string | undefined {
  const told = sentences.flatMap((sentence) => (sentence ? [sentence] : []));
  return told.length === 0 ? undefined : joined(told);
}

/** The sentences on the wishes for a module that do not count as its user wrote them. */
export interface Remarks {
  readonly overrides: readonly string[];
  /** A wish that is refused is worth a Warning. */
  readonly rejections: readonly string[];
}
/** The remarks on one module; undefined for the Kyma itself. */
export function remarksOn(module: string | undefined, { overrides, rejections }: Effective): Remarks {
  const place = module === undefined ? undefined : `modules[${module}]`;
  return {
    overrides: overrides.filter((one) => one.module === module).map(sentenceOf),
    rejections: rejections
      .filter(({ path }) => (place === undefined ? !path.startsWith("modules[") : path.startsWith(place)))
      .map(({ path, message }) => `${path}: ${message}`),
  };
}

/** The worse of a module's state and what remarks make of it. */
export const withRemarks = (state: State, { rejections }: Remarks): State =>
  rejections.length > 0 && state !== "Error" && state !== "Deleting" ? "Warning" : state;

/** All sentences of remarks. */
export const sentences = ({ overrides, rejections }: Remarks): readonly string[] => [
  ...overrides,
  ...rejections,
];
/** A message of these sentences, where there are any. */
export const told = (all: readonly (string | undefined)[]): Pick<ModuleStatus, "message"> => {
  const message = messageOf(all);
  return message === undefined ? {} : { message };
};

/** The status of a module that stays as it is. */
export function standing(name: string, manifest: Installed | undefined, remarks: Remarks): ModuleStatus {
  const state = manifest === undefined ? "Processing" : stateOf(manifest);
  return {
    name,
    ...(manifest !== undefined && ofManifest(manifest)),
    state: withRemarks(state, remarks),
    maintenance: false,
    ...told([saidBy(manifest, state), ...sentences(remarks)]),
  };
}
/** The fault of a release whose component is not the installed one: its Manifest would be a second one, beside the first. */
export const otherComponent = (ocmComponentName: string | undefined): string =>
  `${ocmComponentName} is another component than the one that is installed`;

/** The status of a module that cannot be brought to what is wished. */
export const failing = (
  name: string,
  manifest: Installed | undefined,
  message: string,
  remarks: Remarks,
): ModuleStatus => ({
  ...standing(name, manifest, remarks),
  state: "Error",
  ...told([message, ...sentences(remarks)]),
});
/** The status of a module that stays as it is, or goes, by a verdict. */
export const held = (
  name: string,
  manifest: Installed | undefined,
  resolution: Exclude<Resolution, { readonly verdict: "install" }>,
  remarks: Remarks,
): ModuleStatus => {
  const stays = standing(name, manifest, remarks);
  return {
    ...stays,
    state: resolution.state ?? stays.state,
    maintenance: resolution.reason === "MaintenanceWindowClosed",
    ...told([resolution.message, ...sentences(remarks)]),
  };
};
/** The version of a module that its Manifest is brought to. */
interface Target {
  readonly channel: string | undefined;
  readonly version: string;
  readonly ocmComponentName: string;
  readonly template: Obj<typeof ModuleTemplate>;
  /** The digest of its artifact. */
  readonly artifact: string;
}
/** The status of a module that is brought to a version. */
export function installing(
  name: string,
  manifest: Installed | undefined,
  { channel, version, ocmComponentName, template, artifact }: Target,
  remarks: Remarks,
): ModuleStatus {
  const state = manifest === undefined ? "Processing" : stateOf(manifest, artifact);
  return {
    ...standing(name, manifest, remarks),
    state: withRemarks(state, remarks),
    ...(channel !== undefined && { channel }),
    version,
    ocmComponentName,
    fqdn: ocmComponentName,
    template: referenceTo(template),
  };
}
