import type { Wait } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import type { Configuration } from "../../configuration.ts";
import type { Asking, Listing, Opening, Releases, SourceFailure } from "../../ports/releases/index.ts";

import { credentialsIn, type SecretPlace, secretOf } from "./credentials.ts";

/** A source, and the namespace of those that ask it. */
export interface SourceOf {
  readonly source: string;
  readonly namespace: string;
}

/** The sources as the objects of a namespace ask them: where the configuration says so, with the credentials of their own Secret. */
export interface NamespacedReleases {
  list(of: SourceOf, asking: Asking & { readonly known?: string | undefined }): Promise<Listing>;
  open(of: SourceOf, tag: string, asking: Asking): Promise<Opening>;
  /** The Secret that the answers rest on; undefined: there is none. */
  secret(of: SourceOf): SecretPlace | undefined;
}

/**
 * Asks sources with the credentials of Secrets.
 * @param read reads one, fresh
 */
export function namespacedReleases(
  releases: Releases,
  sources: Configuration["sources"],
  read: (at: SecretPlace) => Promise<object | undefined>,
): NamespacedReleases {
  const secret = ({ source, namespace }: SourceOf) => secretOf(sources, source, namespace);
  const ask = async <Answer>(
    of: SourceOf,
    question: (credentials: Pick<Asking, "credentials">) => Promise<Answer>,
  ): Promise<Answer | SourceFailure> => {
    const place = secret(of);
    if (place === undefined) return question({});
    const refused = (why: string): SourceFailure => ({
      state: "failed",
      reason: "no credentials",
      message: `source ${of.source}: ${why}`,
    });
    const found = await whereAdmitted(() => read(place));
    if ("refused" in found) return refused(found.refused);
    const credentials = credentialsIn(sources[of.source], place, found.value);
    return "lacks" in credentials ? refused(credentials.lacks) : question(credentials);
  };
  return {
    secret,
    list: (of, asking) => ask(of, (more) => releases.list(of.source, { ...asking, ...more })),
    open: (of, tag, asking) => ask(of, (more) => releases.open(of.source, tag, { ...asking, ...more })),
  };
}

/** The wait for a Secret that a source is asked with: another one may open what this one does not. */
export const secretWaits = (secret: SecretPlace | undefined): readonly Wait[] =>
  secret === undefined
    ? []
    : [{ for: `Secret ${secret.namespace}/${secret.name} to change`, object: { ...secret } }];
