import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { invalidOptions } from "../api-error.ts";
import type { WriteRequest } from "../kernel.ts";
import type { ApiRequest, DecodeProtobuf } from "../resource-type.ts";
import { type DeleteOptions, deleteOptionsOf, dryRunFaults } from "../rest/delete-options.ts";
import { decodeDeleteOptions, mediaType } from "./body.ts";
import type { Route } from "./route.ts";

const LONGEST_MANAGER = 128;
const validations = ["Ignore", "Strict", "Warn"] as const;
/** The real server's names for the options of a method. */
const kinds: Readonly<Record<string, string>> = {
  POST: "CreateOptions",
  PUT: "UpdateOptions",
  PATCH: "PatchOptions",
};

/** Text as Go quotes it: what cannot be printed stands as its number. */
const goQuoted = (text: string): string =>
  JSON.stringify(text).replace(/\\u00([0-7][0-9a-f])|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (char, low) =>
    low === undefined ? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}` : `\\x${low}`,
  );

function managerFaults(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > LONGEST_MANAGER) return [fault.tooLong("fieldManager", LONGEST_MANAGER)];
  const found = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(manager);
  if (found === null) return [];
  const number = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = Buffer.byteLength(manager.slice(0, found.index));
  return [
    {
      reason: "FieldValueInvalid",
      field: "fieldManager",
      message: `Invalid value: ${goQuoted(manager)}: invalid character U+${number} (at position ${position})`,
    },
  ];
}

/** The options of a write, beside its object. Throws the 422 of options that nobody knows: they must not be taken for none. */
export function writeRequest(
  { method, query, user, headers }: ApiRequest,
  { type, namespace, subresource }: Route,
  warnings: string[],
): WriteRequest {
  const given = query.get("fieldValidation") ?? "";
  const validation = given === "" ? "Warn" : validations.find((one) => one === given);
  const manager = query.get("fieldManager") ?? "";
  const dryRun = query.getAll("dryRun");
  const kind = kinds[method];
  if (kind !== undefined) {
    const errors = [...managerFaults(manager), ...dryRunFaults(dryRun)];
    if (validation === undefined)
      errors.push(
        fault.unsupported(
          "fieldValidation",
          given,
          ["", ...validations].map((one) => `"${one}"`),
        ),
      );
    if (errors.length > 0) throw invalidOptions(kind, errors);
  }
  const agent = typeof headers["user-agent"] === "string" ? headers["user-agent"] : "";
  return {
    type,
    namespace,
    subresource: subresource === "scale" ? undefined : subresource,
    fieldManager: manager || (agent.split("/")[0] ?? "") || "unknown",
    fieldValidation: validation ?? "Warn",
    dryRun: dryRun.length > 0,
    user,
    warnings,
  };
}

/** The options of a delete, from its body (JSON, YAML or protobuf) and its query. Throws a 400, 415 or 422. */
export function deleteOptions(request: ApiRequest, protobuf: DecodeProtobuf | undefined): DeleteOptions {
  const type = request.headers["content-type"];
  const body = decodeDeleteOptions(
    request.body,
    mediaType(typeof type === "string" ? type : undefined),
    protobuf,
  );
  return deleteOptionsOf(body, request.query);
}
