import type { Obj } from "../../../../shared/function/index.ts";
import { isServerName } from "../../../../shared/tls/server-name.ts";
import { ANNOTATIONS, type Kyma, LABELS, RUNTIME_NAMESPACE } from "../../kinds/index.ts";
import type { RuntimeSubject } from "./rotation.ts";

const SERVICE = `skr-webhook.${RUNTIME_NAMESPACE}.svc`;
/** The annotation of a Kyma with the domain of its runtime. */
export const DOMAIN = ANNOTATIONS.domain;

/** The Secret with the certificate of a runtime, and the object that has it made. */
export const certificateName = (kyma: string): string => `${kyma}-webhook-tls`;

/** The subject of a Kyma's certificate, or what is missing to know it. */
export function subjectOf(
  { metadata }: Pick<Obj<typeof Kyma>, "metadata">,
  more: readonly string[],
): RuntimeSubject | { readonly missing: string } {
  const commonName = metadata.labels[LABELS.runtimeId];
  const domain = metadata.annotations[DOMAIN];
  if (!commonName) return { missing: `the label ${LABELS.runtimeId}, which names the runtime` };
  if (!domain) return { missing: `the annotation ${DOMAIN}, which names the runtime's domain` };
  if (!isServerName(domain)) return { missing: `a DNS name in the annotation ${DOMAIN}` };
  return { commonName, dnsNames: [domain, ...more, SERVICE, `${SERVICE}.cluster.local`] };
}
