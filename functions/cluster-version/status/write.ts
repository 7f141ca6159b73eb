import { sameJson } from "../../../shared/json/same-json.ts";
import { StatusError } from "./errors.ts";
import { refuseSecrets } from "./secrets.ts";

/** An object whose status is written. Raw JSON fits. */
export interface Reported {
  readonly kind?: string | undefined;
  readonly metadata: {
    readonly name?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
  readonly status?: unknown;
}

/** Reads an object and writes its status: a few lines around any client. */
export interface StatusEndpoint<O> {
  /** A fresh read; undefined where there is none. */
  read(): Promise<O | undefined>;
  /** PUT to `/status` of exactly this object, its resourceVersion included, so that a newer state answers 409. */
  write(object: O): Promise<O>;
  /** Makes the object where it is missing. Without it a missing object is an error. */
  readonly create?: (() => Promise<O>) | undefined;
}

/** The result of a write. */
export interface Written<O> {
  readonly object: O;
  /** False: what is stored says so already, and nothing was sent. */
  readonly changed: boolean;
}

/**
 * Writes the status that `decide` computes from what is stored: not at all where that says the same; once more, from a fresh read,
 * where somebody was faster.
 *
 * @param decide pure: it may run twice. `report` fits.
 * @throws StatusError STATUS_GONE where the object is not there; STATUS_RECREATED where another has taken its name meanwhile;
 *   STATUS_SECRET where the status seems to hold a secret. A second conflict and all else that the client throws pass through.
 */
export async function writeStatus<O extends Reported>(
  endpoint: StatusEndpoint<O>,
  decide: (object: O) => NonNullable<O["status"]>,
): Promise<Written<O>> {
  const first = (await endpoint.read()) ?? (await endpoint.create?.());
  if (first === undefined)
    throw new StatusError(
      "STATUS_GONE",
      "There is no object to report to: create it first, or give `create`.",
    );
  try {
    return await attempt(endpoint, first, decide);
  } catch (error) {
    if (!isConflict(error) && !saysCode(error, 404)) throw error;
    const fresh = await endpoint.read();
    if (fresh === undefined)
      throw new StatusError("STATUS_GONE", `The ${wordsOf(first)} was deleted, cannot update status`, {
        cause: error,
      });
    if (fresh.metadata.uid !== first.metadata.uid)
      throw new StatusError(
        "STATUS_RECREATED",
        `${wordsOf(first)} was deleted and recreated, cannot update status`,
        { cause: error },
      );
    return attempt(endpoint, fresh, decide);
  }
}

async function attempt<O extends Reported>(
  endpoint: StatusEndpoint<O>,
  object: O,
  decide: (object: O) => NonNullable<O["status"]>,
): Promise<Written<O>> {
  const status = decide(object);
  if (sameJson(object.status ?? {}, status)) return { object, changed: false };
  refuseSecrets(status);
  return { object: await endpoint.write({ ...object, status }), changed: true };
}

/** `ClusterVersion` → `cluster version`. */
const wordsOf = ({ kind }: Reported): string =>
  (kind ?? "object").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** True where a client said 409 Conflict, in the words of the usual ones. */
export const isConflict = (error: unknown): boolean => saysCode(error, 409);

/** The code lies in `code`, `statusCode` or `status`, or in the Status object that the server sent. */
function saysCode(error: unknown, expected: number): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, statusCode, status } = error as Readonly<Record<string, unknown>>;
  const inside = typeof status === "object" && status !== null ? (status as { code?: unknown }).code : status;
  return [code, statusCode, inside].includes(expected);
}
