import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { isObject } from "../json.ts";

/** Faults of `spec.conversion`, under the names by which the server reports them. */
export function conversionFaults(conversion: unknown): FieldError[] {
  if (!isObject(conversion)) return [];
  const { strategy } = conversion;
  const webhook = isObject(conversion.webhook) ? conversion.webhook : undefined;
  const client = isObject(webhook?.clientConfig) ? webhook.clientConfig : undefined;
  const versions = webhook?.conversionReviewVersions;
  const clientField = "spec.conversion.webhookClientConfig";
  const versionsField = "spec.conversion.conversionReviewVersions";
  if (strategy === "Webhook")
    return [...clientFaults(client, clientField), ...reviewFaults(versions, versionsField)];
  const why = "should not be set when strategy is not set to Webhook";
  return [
    ...(strategy === "None"
      ? []
      : [
          strategy === undefined || strategy === ""
            ? fault.required("spec.conversion.strategy")
            : fault.unsupported("spec.conversion.strategy", strategy, ['"None"', '"Webhook"']),
        ]),
    ...(client === undefined ? [] : [fault.forbidden(clientField, why)]),
    ...(Array.isArray(versions) && versions.length > 0 ? [fault.forbidden(versionsField, why)] : []),
  ];
}

function clientFaults(client: Readonly<Record<string, unknown>> | undefined, field: string): FieldError[] {
  if (client === undefined) return [fault.required(field, "required when strategy is set to Webhook")];
  const { url } = client;
  if ((url === undefined) === (client.service === undefined))
    return [fault.required(field, "exactly one of url or service is required")];
  if (typeof url !== "string") return [];
  const form = "desired format: https://host[/path]";
  if (!URL.canParse(url)) return [fault.required(`${field}.url`, `url must be a valid URL; ${form}`)];
  const scheme = new URL(url).protocol.slice(0, -1);
  return scheme === "https"
    ? []
    : [fault.invalid(`${field}.url`, scheme, `'https' is the only allowed URL scheme; ${form}`)];
}

function reviewFaults(versions: unknown, field: string): FieldError[] {
  if (!Array.isArray(versions) || versions.length === 0) return [fault.required(field)];
  return versions.includes("v1") || versions.includes("v1beta1")
    ? []
    : [fault.invalid(field, versions, "must include at least one of v1, v1beta1")];
}
