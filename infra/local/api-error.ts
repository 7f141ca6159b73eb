import { ReveilleError } from "../../shared/errors.ts";
import type { FieldError } from "../../shared/kube/validation/fault.ts";
import type { ResourceType } from "./resource-type.ts";

interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}
interface Details {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
  readonly retryAfterSeconds?: number;
}
/** The `Status` object that a failed request is answered with. */
export interface FailureStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: "Failure";
  readonly message: string;
  readonly reason?: string;
  readonly details?: Details;
  readonly code: number;
}

/** A request that the local API refuses, with the Status that the real server would send. */
export class ApiError extends ReveilleError {
  readonly status: FailureStatus;
  /** Sent as text instead of the Status, as the real server does for paths that it does not know. */
  readonly plain: string | undefined;
  constructor(
    code: number,
    reason: string | undefined,
    message: string,
    options: {
      readonly details?: Details;
      readonly plain?: string;
      readonly metadata?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(
      `LOCAL_API_${(reason ?? "internal").replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      message,
    );
    this.plain = options.plain;
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: options.metadata ?? {},
      status: "Failure",
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(options.details === undefined ? {} : { details: options.details }),
      code,
    };
  }
}

/** `widgets.he.io`, or `pods` in the core group. */
const qualifiedPlural = (type: Pick<ResourceType, "group" | "plural">): string =>
  type.group === "" ? type.plural : `${type.plural}.${type.group}`;

const named = (type: Pick<ResourceType, "group">, kind: string, name: string): Details => ({
  ...(name === "" ? {} : { name }),
  ...(type.group === "" ? {} : { group: type.group }),
  kind,
});

export const notFound = (type: Pick<ResourceType, "group" | "plural">, name: string): ApiError =>
  new ApiError(404, "NotFound", `${qualifiedPlural(type)} "${name}" not found`, {
    details: named(type, type.plural, name),
  });

/** The answer to a path of a group and version that is served, with a resource that is not. */
export const noSuchResource = (): ApiError =>
  new ApiError(404, "NotFound", "the server could not find the requested resource", { details: {} });

/** The answer to a path that nothing is known of. */
export const noSuchPath = (): ApiError =>
  new ApiError(404, "NotFound", "404 page not found", { plain: "404 page not found\n" });

export const alreadyExists = (type: ResourceType, name: string): ApiError =>
  new ApiError(409, "AlreadyExists", `${qualifiedPlural(type)} "${name}" already exists`, {
    details: named(type, type.plural, name),
  });

export const conflict = (type: ResourceType, name: string, why: string): ApiError =>
  new ApiError(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualifiedPlural(type)} "${name}": ${why}`,
    {
      details: named(type, type.plural, name),
    },
  );

/** A conflict with the kind instead of the plural: so the real server spells failed preconditions of deletes. */
export const preconditionFailed = (type: ResourceType, name: string, why: string): ApiError => {
  const kind = type.custom ? type.kind : type.plural;
  const qualified = type.group === "" ? kind : `${kind}.${type.group}`;
  return new ApiError(409, "Conflict", `Operation cannot be fulfilled on ${qualified} "${name}": ${why}`, {
    details: named(type, kind, name),
  });
};

export const staleVersion = (type: ResourceType, name: string): ApiError =>
  conflict(
    type,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );

export const badRequest = (message: string): ApiError => new ApiError(400, "BadRequest", message);

export const forbidden = (
  type: Pick<ResourceType, "group" | "plural">,
  name: string,
  why: string,
  causes?: readonly Cause[],
): ApiError =>
  new ApiError(403, "Forbidden", `${qualifiedPlural(type)} "${name}" is forbidden: ${why}`, {
    details: { ...named(type, type.plural, name), ...(causes === undefined ? {} : { causes }) },
  });

export const expired = (message: string, metadata?: Readonly<Record<string, unknown>>): ApiError =>
  new ApiError(410, "Expired", message, metadata === undefined ? {} : { metadata });

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );

/** A kind that this API reads in JSON only. The sentence says how clients are told. */
export const noProtobuf = (kind: string): ApiError =>
  new ApiError(
    415,
    "UnsupportedMediaType",
    `the local API reads ${kind} in JSON or YAML, not in protobuf: set ContentType to "application/json" in the rest.Config of a Go client, or write the object to a file and use kubectl with -f`,
  );

export const notAcceptable = (accepted: readonly string[]): ApiError =>
  new ApiError(406, "NotAcceptable", `only the following media types are accepted: ${accepted.join(", ")}`);

export const methodNotAllowed = (): ApiError =>
  new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {
    details: {},
  });

export const unauthorized = (): ApiError => new ApiError(401, "Unauthorized", "Unauthorized");

/** A part of the API that is left out on purpose. The sentence says where it is to be had. */
export const notOffered = (what: string): ApiError =>
  new ApiError(
    501,
    "NotImplemented",
    `the local API does not offer ${what}: start with --real or --kubeconfig to use a full API server`,
  );

/** Also the answer to faults that the real server reports as plain 500s without a reason. */
export const serverFault = (message: string): ApiError => new ApiError(500, undefined, message);

export const internalError = (message: string): ApiError =>
  new ApiError(500, "InternalError", `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
  });

/** 422 with one cause a fault. */
export function invalid(group: string, kind: string, name: string, errors: readonly FieldError[]): ApiError {
  const qualified = group === "" ? kind : `${kind}.${group}`;
  const lines = errors.map((error) => `${error.field}: ${error.message}`);
  const all = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  return new ApiError(422, "Invalid", `${qualified} "${name}" is invalid: ${all}`, {
    details: {
      ...named({ group }, kind, name),
      causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  });
}

/** 422 about the parameters of the request itself. */
export const invalidOptions = (kind: string, errors: readonly FieldError[]): ApiError =>
  invalid("meta.k8s.io", kind, "", errors);
