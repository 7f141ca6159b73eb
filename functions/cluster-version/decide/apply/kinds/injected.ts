import { type Fields, fieldOf, fieldsOf, isRecord, listOf } from "../../../../../shared/json/fields.ts";

/** A client configuration with the CA bundle that another has injected into the live one. */
const withBundle = (wanted: unknown, there: unknown): unknown =>
  isRecord(wanted) && fieldOf(there, "caBundle") !== undefined
    ? { ...wanted, caBundle: fieldOf(there, "caBundle") }
    : wanted;

/** The specification of a CustomResourceDefinition whose conversion webhook's CA bundle is injected. */
export function withConversionBundle(wanted: unknown, there: unknown): unknown {
  const conversion = fieldOf(wanted, "conversion");
  const webhook = fieldOf(conversion, "webhook");
  const live = fieldOf(fieldOf(fieldOf(there, "conversion"), "webhook"), "clientConfig");
  if (fieldOf(conversion, "strategy") !== "Webhook" || !isRecord(webhook)) return wanted;
  const clientConfig = withBundle(webhook.clientConfig, live);
  return {
    ...fieldsOf(wanted),
    conversion: { ...fieldsOf(conversion), webhook: { ...webhook, clientConfig } },
  };
}

/** A webhook configuration, or an APIService, whose CA bundles are injected. */
export function withInjectedBundles(wanted: Fields, there: Fields): Fields {
  if (!Array.isArray(wanted.webhooks))
    return isRecord(wanted.spec) ? { ...wanted, spec: withBundle(wanted.spec, there.spec) } : wanted;
  const webhooks = wanted.webhooks.map((webhook: unknown) => {
    const live = listOf(there.webhooks).find((one) => fieldOf(one, "name") === fieldOf(webhook, "name"));
    return isRecord(webhook)
      ? { ...webhook, clientConfig: withBundle(webhook.clientConfig, fieldOf(live, "clientConfig")) }
      : webhook;
  });
  return { ...wanted, webhooks };
}
