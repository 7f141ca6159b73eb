/** A field of a user's wishes that a policy decides. */
export interface Override {
  /** Undefined: it is about the Kyma's own channel. */
  readonly module: string | undefined;
  /** The field; `module` where it is about the module as a whole. */
  readonly field: "module" | "channel" | "version" | "customResourcePolicy" | "managed";
  readonly reason: "Enforced" | "Denied" | "ChannelNotAllowed";
  /** The policy that decides. */
  readonly policy: string;
  /** The user's value; undefined: the user named none. */
  readonly wanted: string | undefined;
  /** The value that counts; undefined: none. */
  readonly used: string | undefined;
}

/** A sentence that tells the user of an override. */
export function sentenceOf({ module, field, reason, policy, wanted, used }: Override): string {
  if (reason === "Denied") return `The policy ${policy} denies ${module}.`;
  if (field === "module") return `The policy ${policy} adds ${module}.`;
  const place = module === undefined ? field : `${field} of ${module}`;
  const instead = wanted === undefined ? "" : `, not ${wanted}`;
  return reason === "Enforced"
    ? `The policy ${policy} decides ${place}: ${used ?? "none"}${instead}.`
    : `The policy ${policy} does not allow ${place} to be ${wanted}: ${used ?? "none"} is used.`;
}
