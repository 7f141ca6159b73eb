import type * as z from "zod";
import { ReveilleError } from "../errors.ts";
import { isRecord } from "../json/fields.ts";
import { accepts } from "../schema/accepts.ts";
import { type ClusterReference, clusterOf } from "./cluster-names.ts";
import type { Kind, Metadata, Obj } from "./kind.ts";
import type { KubeObject } from "./object.ts";

/** An object whose fields are not what its kind declares. The message names the object and the path. */
export class UnreadableObjectError extends ReveilleError {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly objectName: string;
  /** The first fault's path, for example `spec.services[0].name`. */
  readonly path: string;
  /** The object's reference, as a `waitingFor` takes it. */
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly cluster?: ClusterReference | undefined;
  };
  constructor(
    raw: KubeObject,
    kind: string,
    error: z.ZodError | RangeError,
    cluster: ClusterReference | undefined,
  ) {
    const { namespace, name } = raw.metadata;
    const issue =
      error instanceof RangeError ? { path: [], message: "it is nested too deep" } : error.issues[0];
    const path = (issue?.path ?? []).reduce<string>(
      (text, step) =>
        typeof step === "number"
          ? `${text}[${step}]`
          : text === ""
            ? String(step)
            : `${text}.${String(step)}`,
      "",
    );
    const where = namespace === undefined ? name : `${namespace}/${name}`;
    super(
      "OBJECT_UNREADABLE",
      `${kind} ${where} cannot be read: ${path === "" ? "" : `${path}: `}${issue?.message ?? "not valid"}. Correct the object, or the schema of its kind`,
      { cause: error },
    );
    this.kind = kind;
    this.namespace = namespace;
    this.objectName = name;
    this.object = {
      apiVersion: raw.apiVersion,
      kind,
      namespace,
      name,
      ...(cluster !== undefined && { cluster }),
    };
    this.path = path;
  }
}

/** The parsed values laid over the object that came: fields that the schema does not know stay. */
function overlaid(raw: unknown, parsed: unknown): unknown {
  if (Array.isArray(raw) && Array.isArray(parsed) && raw.length === parsed.length)
    return parsed.map((item, index) => overlaid(raw[index], item));
  if (!isRecord(raw) || !isRecord(parsed)) return parsed;
  const both: Record<string, unknown> = { ...raw };
  for (const [name, value] of Object.entries(parsed)) both[name] = overlaid(raw[name], value);
  return both;
}

/** Parses like `safeParse`, in a tenth of its time where the schema has nothing to add. */
const parsedWith = (schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> =>
  accepts(schema, value) ? { success: true, data: value } : schema.safeParse(value);

function metadataOf(raw: KubeObject, cluster: string | undefined): Metadata {
  const {
    name,
    namespace,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    labels,
    annotations,
    finalizers,
    ownerReferences,
  } = raw.metadata;
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(cluster === undefined ? {} : { cluster }),
    uid: uid ?? "",
    resourceVersion: resourceVersion ?? "",
    generation: generation ?? 0,
    creationTimestamp: creationTimestamp ?? "",
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    labels: labels ?? {},
    annotations: annotations ?? {},
    finalizers: finalizers ?? [],
    ownerReferences: ownerReferences ?? [],
  };
}

function fieldsOf(
  kind: Kind,
  raw: KubeObject,
  fields: Readonly<Record<string, unknown>>,
  cluster: string | undefined,
): unknown {
  const unreadable = (error: z.ZodError | RangeError): UnreadableObjectError =>
    new UnreadableObjectError(raw, kind.kind, error, clusterOf(kind, { cluster }));
  try {
    const parsed = parsedWith(kind.fields, fields);
    if (parsed.success) return overlaid(fields, parsed.data);
    const within = withinSafe(kind.fields, fields, parsed.error);
    if (within !== undefined) return within;
    throw unreadable(parsed.error);
  } catch (thrown) {
    // The API server takes what is nested deeper than a stack reaches.
    if (thrown instanceof RangeError) throw unreadable(thrown);
    throw thrown;
  }
}

/** Undefined where it does not fit: others write a status too. */
function statusOf(schema: z.ZodType, status: unknown): unknown {
  try {
    const known = parsedWith(schema, status);
    return known.success ? overlaid(status, known.data) : undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/**
 * Parses fields that hold an int64 beyond 2^53: the API server takes it, JSON has rounded it, and zod refuses it. Such numbers
 * stay as they came, and the rest is parsed. Undefined where anything else is at fault.
 */
function withinSafe(schema: z.ZodType, fields: unknown, { issues }: z.ZodError): unknown {
  let safe = fields;
  for (const { path } of issues) {
    const value = path.reduce<unknown>((at, step) => (at as Fields | undefined)?.[step as string], fields);
    if (typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value))
      return undefined;
    safe = replacedAt(safe, path, Math.sign(value) * Number.MAX_SAFE_INTEGER);
  }
  const parsed = schema.safeParse(safe);
  if (!parsed.success) return undefined;
  return issues.reduce<unknown>(
    (whole, { path }) => {
      const value = path.reduce<unknown>((at, step) => (at as Fields | undefined)?.[step as string], fields);
      return replacedAt(whole, path, value);
    },
    overlaid(fields, parsed.data),
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** A copy in which another value stands at the path. */
function replacedAt(whole: unknown, [step, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(whole))
    return whole.map((item, index) => (index === step ? replacedAt(item, rest, value) : item));
  return { ...(whole as Fields), [step]: replacedAt((whole as Fields)[step as string], rest, value) };
}

const raws = new WeakMap<object, KubeObject>();

/** The object as the server sent it, with its managedFields; undefined for what `parseObject` did not make. */
export const rawOf = (object: object): KubeObject | undefined => raws.get(object);

/**
 * An object as functions see it: metadata without gaps, the fields parsed with the kind's schema so that its defaults hold,
 * what the schema does not know kept. The status is parsed where it fits and taken as it is where not: others write it too.
 * `cluster` is set on objects of other clusters. Throws an `UnreadableObjectError`.
 */
export function parseObject<K extends Kind>(kind: K, raw: KubeObject, cluster?: string | undefined): Obj<K> {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, status, ...fields } = raw;
  const parsed = fieldsOf(kind, raw, fields, cluster);
  const object: Record<string, unknown> = {
    apiVersion: raw.apiVersion,
    kind: raw.kind,
    metadata: metadataOf(raw, cluster),
    ...(parsed as object),
  };
  if (status !== undefined && status !== null) {
    object.status = (kind.status && statusOf(kind.status, status)) ?? status;
  }
  raws.set(object, raw);
  // The schema has decided the body; the kind's class only names its type.
  return object as unknown as Obj<K>;
}
