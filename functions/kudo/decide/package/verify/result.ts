/** The result of verifying a package: sentences for people, as upstream writes them. */
export interface Verification {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** One rule's findings. */
export interface Findings {
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
}

/** All findings, in their order. */
export const merged = (findings: readonly Findings[]): Verification => ({
  errors: findings.flatMap(({ errors = [] }) => errors),
  warnings: findings.flatMap(({ warnings = [] }) => warnings),
});
