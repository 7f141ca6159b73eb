import * as z from "zod";

/** An object as it comes with a question: anything may be in it but its metadata's shape. */
const reviewed = z
  .looseObject({ metadata: z.looseObject({ name: z.string().optional() }).default({}) })
  .nullish();

/** The request of an AdmissionReview of `admission.k8s.io/v1`, as far as it is read. */
export const AdmissionRequest = z.looseObject({
  uid: z.string().min(1),
  kind: z.looseObject({ group: z.string().default(""), version: z.string(), kind: z.string() }),
  resource: z.looseObject({ group: z.string().default(""), version: z.string(), resource: z.string() }),
  subResource: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  operation: z.enum(["CREATE", "UPDATE", "DELETE", "CONNECT"]),
  userInfo: z
    .looseObject({ username: z.string().default(""), groups: z.array(z.string()).nullish() })
    .default({ username: "" }),
  object: reviewed,
  oldObject: reviewed,
  dryRun: z.boolean().nullish(),
});
export type AdmissionRequest = z.output<typeof AdmissionRequest>;

/** The question of an API server, as it comes. */
export const AdmissionReview = z.looseObject({
  apiVersion: z.literal("admission.k8s.io/v1"),
  kind: z.literal("AdmissionReview"),
  request: AdmissionRequest,
});

/** A step of the JSON patch that an answer carries. */
export interface PatchOperation {
  readonly op: "add" | "remove";
  readonly path: string;
  readonly value?: unknown;
}

/** The answer to a request, before it is spelled. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  /** The refusal; absent where it is allowed. */
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
  readonly warnings?: readonly string[];
  /** The steps of the change; absent where there is none. */
  readonly patch?: readonly PatchOperation[];
}

/** An AdmissionReview with its answer, as the API server reads it. */
export const answeredReview = ({ patch, ...response }: AdmissionResponse): object => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  response: {
    ...response,
    ...(patch !== undefined && {
      patchType: "JSONPatch",
      patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
    }),
  },
});
