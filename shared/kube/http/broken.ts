import { messageOf } from "../../errors.ts";
import { KubeError, type KubeErrorKind } from "../errors.ts";
import { TransportError } from "./wire.ts";

interface Diagnosis {
  readonly kind: KubeErrorKind;
  readonly code?: string;
  readonly sentence: string;
}

const untrusted = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "INVALID_CA",
]);

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there: start the API server, or correct `server` in the kubeconfig",
  ENOTFOUND: "its name is unknown: correct `server` in the kubeconfig, or check DNS",
  EAI_AGAIN: "its name cannot be looked up now: check DNS",
  EHOSTUNREACH: "there is no way to it: check the network or VPN",
  ENETUNREACH: "there is no way to it: check the network or VPN",
  ETIMEDOUT: "it does not answer: check the address in the kubeconfig, the network or VPN",
};

function codeOf(error: unknown): string {
  // With several addresses Node gathers one error each.
  const one = error instanceof AggregateError ? error.errors[0] : error;
  return String((one as { readonly code?: unknown } | undefined)?.code ?? "");
}

function diagnose(error: TransportError, server: string): Diagnosis {
  if (error.reason === "aborted") return { kind: "aborted", sentence: "The request was aborted" };
  if (error.reason === "timeout")
    return {
      kind: "unavailable",
      code: "KUBE_TIMEOUT",
      sentence: `${server} took the request and said nothing (${error.message}): try again later`,
    };
  if (error.reason === "tooLarge")
    return { kind: "invalid", code: "KUBE_TOO_LARGE", sentence: `${error.message}: ask for smaller pages` };
  const code = codeOf(error.cause);
  if (untrusted.has(code))
    return {
      kind: "unavailable",
      code: "KUBE_UNTRUSTED_SERVER",
      sentence: `The certificate of ${server} was not signed by the authority of the kubeconfig (${code}): correct certificate-authority-data`,
    };
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return {
      kind: "unavailable",
      code: "KUBE_SERVER_CERTIFICATE_EXPIRED",
      sentence: `The certificate of ${server} is not valid now (${code}): renew it, or correct this machine's clock`,
    };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return {
      kind: "unavailable",
      code: "KUBE_WRONG_SERVER_NAME",
      sentence: `The certificate of ${server} is for another name (${messageOf(error.cause)}): set tls-server-name in the kubeconfig`,
    };
  if (/^ERR_SSL_.*(ALERT|CERTIFICATE)/.test(code))
    return {
      kind: "unauthorized",
      code: "KUBE_CLIENT_CERTIFICATE_REFUSED",
      sentence: `${server} refused the client certificate (${code}): renew it`,
    };
  if (code.startsWith("ERR_OSSL") || code.startsWith("ERR_SSL"))
    return {
      kind: "unavailable",
      code: "KUBE_TLS",
      sentence: `No TLS connection to ${server} (${messageOf(error.cause)}): check that this is an https address and that the certificates are whole`,
    };
  const why = unreachable[code];
  if (why !== undefined)
    return {
      kind: "unavailable",
      code: "KUBE_UNREACHABLE",
      sentence: `Cannot reach ${server} (${code}): ${why}`,
    };
  return {
    kind: "unavailable",
    sentence: `The connection to ${server} broke (${messageOf(error.cause ?? error)}): try again later`,
  };
}

/** The error for a request without an answer: one sentence that says what to do. */
export function brokenRequest(thrown: unknown, server: string, request: string): KubeError {
  const error =
    thrown instanceof TransportError
      ? thrown
      : new TransportError("broken", messageOf(thrown), { cause: thrown });
  const { kind, code, sentence } = diagnose(error, server);
  return new KubeError(kind, `${request}: ${sentence}`, {
    request,
    sentence,
    cause: error.cause ?? error,
    code,
  });
}
