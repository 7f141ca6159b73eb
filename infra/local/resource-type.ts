import type { KubeObject, RawMetadata } from "../../shared/kube/object.ts";
import type { FieldError } from "../../shared/kube/validation/fault.ts";
import type { StructuralSchema } from "../../shared/kube/validation/structural-schema.ts";

/** An object while the server works on it. What is stored and what is sent is never changed in place: clone first. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: MutableMetadata;
  [field: string]: unknown;
}
type MutableMetadata = { -readonly [P in keyof RawMetadata]: RawMetadata[P] } & { [field: string]: unknown };

/** A printer column (`additionalPrinterColumns` of a CRD). */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/**
 * The behaviour of a built-in kind beyond its schema. Objects are private copies and may be changed in place, except `previous`.
 * The order of a write is: default → prepare → generation → validate.
 */
export interface Strategy {
  /** Fills defaults that the schema's `default` words cannot say, and normalises (quantities, empty fields). */
  default?(object: ApiObject): void;
  /** For example: copies `stringData` of a Secret, sets `clusterIP` of a Service, clears what clients may not set. */
  prepareForCreate?(object: ApiObject, context: StrategyContext): void;
  prepareForUpdate?(object: ApiObject, previous: KubeObject, context: StrategyContext): void;
  /** Seconds that a delete leaves the object to end by itself; default 0. `requested` is the caller's gracePeriodSeconds. */
  graceSeconds?(object: KubeObject, requested: number | undefined): number;
  /** True while something other than finalizers keeps a deleted object (a namespace's `spec.finalizers`). */
  holdsDeletion?(object: KubeObject): boolean;
  /** Changes an object that is marked as deleted; what it adds to the finalizers keeps it. */
  prepareForDelete?(object: ApiObject, context: StrategyContext): void;
  /** After the schema's own validation found nothing. `previous` is absent on create. */
  validate?(
    object: KubeObject,
    previous: KubeObject | undefined,
    subresource: string | undefined,
  ): readonly FieldError[];
}
export interface StrategyContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly user: ApiUser;
  /** `status`, `scale`, … where the write goes to a subresource. */
  readonly subresource?: string | undefined;
}

export interface SelectableField {
  /** `.spec.color`. */
  readonly jsonPath: string;
}

/** The paths that `/scale` reads and writes. */
export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/** One resource in one version: what a path segment such as `/apis/apps/v1/deployments` stands for. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** True where a CRD defines it. */
  readonly custom: boolean;
  /** Absent: all of create, delete, deletecollection, get, list, patch, update, watch. */
  readonly verbs?: readonly string[];
  readonly subresources: { readonly status: boolean; readonly scale?: ScaleSubresource | undefined };
  readonly columns: readonly PrinterColumn[];
  /** Absent: nothing is validated, nothing pruned, everything granular by guess. */
  readonly schema: StructuralSchema | undefined;
  readonly description?: string | undefined;
  readonly selectableFields: readonly SelectableField[];
  /** True where the server counts `metadata.generation` (changes outside metadata and, with the subresource, status). */
  readonly generation: boolean;
  /** Rule for names; default `subdomain` (RFC 1123). `path` allows what RBAC names are made of (`system:a`). */
  readonly names?: "subdomain" | "label" | "service" | "path" | undefined;
  readonly strategy?: Strategy | undefined;
  /** True while its CRD is being deleted: nothing new is taken. */
  readonly terminating?: boolean | undefined;
  /** Served by the CRD but deprecated: requests get this Warning header. */
  readonly deprecationWarning?: string | undefined;
  /**
   * The place of the objects, if not `group/plural`: events of `events.k8s.io` and of the core group are the same objects in two
   * spellings.
   */
  readonly storedAs?: StoredAs | undefined;
}
export interface StoredAs {
  readonly group: string;
  readonly plural: string;
  /** Turns the stored spelling into this type's. */
  read(stored: KubeObject): ApiObject;
  /** Turns this type's spelling into the stored one. */
  write(object: KubeObject): ApiObject;
}

/** All resources that are served now: built-ins, and CRDs in storage. */
export interface Registry {
  find(group: string, version: string, plural: string): ResourceType | undefined;
  findKind(group: string, version: string, kind: string): ResourceType | undefined;
  /** All types, built-ins first, in a stable order. */
  all(): readonly ResourceType[];
  /** Every group once, the core group (`""`) first; versions in the order of preference. */
  groups(): readonly { readonly group: string; readonly versions: readonly string[] }[];
  list(group: string, version: string): readonly ResourceType[];
  /** Changes whenever a type comes, goes or changes: for ETags and caches. */
  readonly revision: string;
}

export interface ApiUser {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A request as the faces see it. */
export interface ApiRequest {
  readonly method: string;
  /** Without the query, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Empty where the request had none. */
  readonly body: Uint8Array;
  readonly user: ApiUser;
}
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The parts that the core offers to faces beside the registry. */
export interface FaceContext {
  readonly registry: Registry;
  /** Milliseconds since the epoch. */
  now(): number;
  get(type: ResourceType, namespace: string | undefined, name: string): KubeObject | undefined;
}

/** Answers whole paths that are no resources (discovery, OpenAPI, `/version`, access reviews); undefined = not mine. */
export type Face = (request: ApiRequest, context: FaceContext) => ApiResponse | undefined;

/** A server-side table (`Accept: application/json;as=Table;v=v1;g=meta.k8s.io`). */
export type TableOf = (
  type: ResourceType,
  objects: readonly KubeObject[],
  options: {
    readonly includeObject: "None" | "Metadata" | "Object";
    /** True for all but the first line of a watch. */
    readonly withoutColumns: boolean;
    readonly listMetadata: Readonly<Record<string, unknown>>;
    /** Milliseconds since the epoch, for ages. */
    readonly now: number;
  },
) => Readonly<Record<string, unknown>>;

/** Decodes a body of type `application/vnd.kubernetes.protobuf`; undefined where the kind is not known to it (415). */
export type DecodeProtobuf = (body: Uint8Array) => ApiObject | undefined;

/** The type of `faces`, which `infra/local/faces/index.ts` exports. */
export interface Faces {
  readonly paths: Face;
  readonly tableOf: TableOf;
  readonly decodeProtobuf: DecodeProtobuf;
}
