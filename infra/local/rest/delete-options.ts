import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { badRequest, invalidOptions } from "../api-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { integerParameter } from "./parameters.ts";

/** DeleteOptions, checked. */
export interface DeleteOptions {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagationPolicy: "Foreground" | "Background" | "Orphan" | undefined;
  readonly gracePeriodSeconds: number | undefined;
  readonly dryRun: boolean;
}

const policies = ["Foreground", "Background", "Orphan"] as const;

/** Fields of the body → the Go type and what JSON it takes. */
const types: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  dryRun: ["[]string", (value) => Array.isArray(value) && value.every((one) => typeof one === "string")],
  gracePeriodSeconds: ["int64", (value) => Number.isInteger(value)],
  orphanDependents: ["bool", (value) => typeof value === "boolean"],
  preconditions: ["v1.Preconditions", isObject],
  propagationPolicy: ["v1.DeletionPropagation", (value) => typeof value === "string"],
};

function requireTypes(body: JsonObject): void {
  const { kind = "DeleteOptions", apiVersion = "v1" } = body;
  if (kind !== "DeleteOptions" && kind !== "")
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
    );
  for (const [field, [goType, fits]] of Object.entries(types)) {
    const value = body[field];
    if (value === undefined || value === null || fits(value)) continue;
    const given = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    throw badRequest(
      `json: cannot unmarshal ${given} into Go struct field DeleteOptions.${field} of type ${goType}`,
    );
  }
}

/** A value of `dryRun` that is neither absent nor exactly `All` must not be taken for either. */
export const dryRunFaults = (given: readonly unknown[]): readonly FieldError[] =>
  given.every((one) => one === "All") ? [] : [fault.unsupported("dryRun", given, ['"All"'])];

/** Reads the body and the query of a delete; the body wins, but for `dryRun`: whoever asks for it gets it. Throws a 400 or 422. */
export function deleteOptionsOf(body: JsonObject, query: URLSearchParams): DeleteOptions {
  requireTypes(body);
  const preconditions = isObject(body.preconditions) ? body.preconditions : {};
  const given = body.propagationPolicy ?? query.get("propagationPolicy") ?? undefined;
  const orphan =
    body.orphanDependents ??
    (query.has("orphanDependents") ? query.get("orphanDependents") === "true" : undefined);
  const dryRun = [...(Array.isArray(body.dryRun) ? body.dryRun : []), ...query.getAll("dryRun")];
  const policy = given ?? (orphan === undefined ? undefined : orphan === true ? "Orphan" : "Background");
  const propagationPolicy = policies.find((one) => one === policy);
  const errors: FieldError[] = [];
  if (given !== undefined && orphan !== undefined)
    errors.push(
      fault.invalid(
        "propagationPolicy",
        given,
        "orphanDependents and deletionPropagation cannot be both set",
      ),
    );
  if (policy !== undefined && propagationPolicy === undefined)
    errors.push(
      fault.unsupported("propagationPolicy", policy, [...policies.map((one) => `"${one}"`), '"nil"']),
    );
  errors.push(...dryRunFaults(dryRun));
  if (errors.length > 0) throw invalidOptions("DeleteOptions", errors);
  const grace = body.gracePeriodSeconds ?? integerParameter(query.get("gracePeriodSeconds"));
  return {
    uid: typeof preconditions.uid === "string" ? preconditions.uid : undefined,
    resourceVersion:
      typeof preconditions.resourceVersion === "string" ? preconditions.resourceVersion : undefined,
    propagationPolicy,
    gracePeriodSeconds: typeof grace === "number" ? grace : undefined,
    dryRun: dryRun.length > 0,
  };
}
