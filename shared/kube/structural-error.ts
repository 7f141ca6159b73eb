import { ReveilleError } from "../errors.ts";

/** A zod schema that Kubernetes cannot hold. `path` leads to the part that is meant. */
export class NotStructuralError extends ReveilleError {
  readonly path: string;
  constructor(path: string, message: string) {
    super(
      "SCHEMA_NOT_STRUCTURAL",
      `${path === "" ? "the schema" : path} cannot be part of a CRD: ${message}`,
    );
    this.path = path;
  }
}
