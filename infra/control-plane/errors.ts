import { ReveilleError } from "../../shared/errors.ts";

/** The reason why the real control plane cannot run. Codes: `CONTROL_PLANE_BINARIES_MISSING`, `_PORT_TAKEN`, `_FAILED`. */
export class ControlPlaneError extends ReveilleError {
  constructor(
    code: "BINARIES_MISSING" | "PORT_TAKEN" | "FAILED",
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`CONTROL_PLANE_${code}`, message, options);
  }
}
