import { ReveilleError } from "../../errors.ts";

/** The code of a fault in reaching a cluster. Stable: docs/errors.md lists them. */
export type KubeconfigErrorCode =
  | "KUBECONFIG_NOT_FOUND"
  | "KUBECONFIG_UNREADABLE"
  | "KUBECONFIG_INVALID"
  | "KUBECONFIG_NO_CONTEXT"
  | "KUBECONFIG_UNKNOWN_CONTEXT"
  | "KUBECONFIG_UNKNOWN_CLUSTER"
  | "KUBECONFIG_UNKNOWN_USER"
  | "KUBECONFIG_UNSUPPORTED"
  | "KUBECONFIG_CERTIFICATE_INVALID"
  | "KUBECONFIG_CERTIFICATE_EXPIRED"
  | "KUBECONFIG_EXEC_FAILED"
  | "KUBECONFIG_OIDC_FAILED"
  | "KUBECONFIG_AWS_IDENTITY"
  | "KUBECONFIG_SECRET_FAILED";

/** A kubeconfig, or something it names, that cannot be used. The message is one sentence that says what to do. */
export class KubeconfigError extends ReveilleError {
  declare readonly code: KubeconfigErrorCode;
  constructor(code: KubeconfigErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}
