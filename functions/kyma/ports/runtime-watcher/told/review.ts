import * as z from "zod";
import { sameJson } from "../../../../../shared/json/same-json.ts";
import { LABELS } from "../../../kinds/labels.ts";

/** An object that changed in a runtime, and who is to be told. */
export interface Change {
  /** The name in the path at which the control plane is told. */
  readonly manager: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** No object in particular: anything may have changed. */
export const anythingFor = (manager: string): Change => ({
  manager,
  group: "",
  version: "",
  kind: "",
  namespace: "",
  name: "",
});

/** A name of the API server; longer ones it has none, and the control plane takes none. */
const name = z.string().max(253);
const object = z.looseObject({
  metadata: z
    .looseObject({
      name: name.optional(),
      labels: z.record(z.string(), z.string()).nullish(),
      deletionTimestamp: z.string().nullish(),
      finalizers: z.array(z.string()).nullish(),
    })
    .optional(),
});
/** The part of an AdmissionReview that is looked at. */
const review = z.object({
  request: z.object({
    uid: z.string(),
    kind: z.object({ group: name, version: name, kind: name }),
    operation: z.string(),
    subResource: z.string().optional(),
    namespace: name.optional(),
    name: name.optional(),
    dryRun: z.boolean().nullish(),
    options: z.looseObject({ fieldManager: z.string().optional() }).nullish(),
    object: object.nullish(),
    oldObject: object.nullish(),
  }),
});
type Request = z.output<typeof review>["request"];

/** The answer to an AdmissionReview, which always allows, and the change that is to be told, if any. */
export interface Seen {
  readonly answer: object;
  readonly change: Change | undefined;
}

/** Reads a request of the API server; undefined where it is none. */
export function seenIn(manager: string, body: unknown): Seen | undefined {
  const parsed = review.safeParse(body);
  if (!parsed.success) return undefined;
  const { request } = parsed.data;
  return {
    answer: {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: request.uid, allowed: true },
    },
    change: isChange(request)
      ? {
          manager,
          ...request.kind,
          namespace: request.namespace ?? "",
          name: request.name || (request.object?.metadata?.name ?? ""),
        }
      : undefined,
  };
}

/** The field managers of functions that alone are woken by what they write themselves: it is no news to them. */
export const WRITERS: readonly string[] = ["reveille-kyma-catalogs", "reveille-kyma-manifests"];

/** The labels by which objects are asked about. */
const SELECTING = [LABELS.managedBy, LABELS.watchedBy];

const isHeld = (one: Request["object"]): boolean => (one?.metadata?.finalizers ?? []).length > 0;

/**
 * True for what may change an object: its creation, its deletion, and an update of its spec, or of its status where that is asked about. A dry run
 * changes nothing. An object without a spec is compared in nothing, so each update counts.
 */
function isChange(request: Request): boolean {
  const { operation, subResource = "", dryRun, object: now, oldObject: was, options } = request;
  if (dryRun === true) return false;
  if (operation === "DELETE") return subResource === "";
  if (WRITERS.includes(options?.fieldManager ?? "")) return false;
  if (operation === "CREATE") return subResource === "";
  if (operation !== "UPDATE" || (subResource !== "" && subResource !== "status")) return false;
  const part = subResource === "" ? "spec" : "status";
  const [before, after] = [was?.[part], now?.[part]];
  // The last of its finalizers goes, and the object with it: no other question tells of that.
  if (part === "spec" && now?.metadata?.deletionTimestamp && isHeld(was) && !isHeld(now)) return true;
  if (part === "spec" && (before === undefined || after === undefined)) return true;
  // Without such a label nobody is asked about the object any more.
  const labelOf = (one: typeof now, label: string) => one?.metadata?.labels?.[label];
  if (part === "spec" && SELECTING.some((label) => labelOf(was, label) !== labelOf(now, label))) return true;
  return !sameJson(before, after);
}
