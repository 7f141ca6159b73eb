import type { Time } from "../../../../shared/function/index.ts";

/** A release as its source lists it. The tag is whatever the source has: it may be no name of a release. */
export interface ListedRelease {
  readonly tag: string;
  /** The time at which it was published, where the source tells. RFC 3339. */
  readonly publishedAt?: string | undefined;
  /** True where its publisher marks it as not ready for everybody. */
  readonly prerelease?: true | undefined;
}

/** The credentials of a question to a source, in place of those that the configuration names. No answer holds any of them. */
export type SourceCredentials =
  | { readonly token: string }
  | { readonly username: string; readonly password: string };

/** The circumstances of a question to a source. */
export interface Asking {
  /** The credentials of whoever asks: a source whose configuration leaves them to a Secret is asked with none else. */
  readonly credentials?: SourceCredentials | undefined;
  /** The source is not asked before then: it said so itself, or a question failed. */
  readonly notBefore?: Time | undefined;
  /** Names what led here from outside: what the adapter remembers from before that does not count. */
  readonly news?: string | undefined;
}

/** The reason why a source gave no answer that can be used. */
export type FailureReason =
  /** No source of this name is configured. */
  | "unknown source"
  /** It refuses whoever asks: credentials are missing or wrong. */
  | "refused"
  /** It was not asked: the Secret with its credentials is not there, or lacks one. Its change mends that. */
  | "no credentials"
  /** It wants to be asked again later; `notBefore` says when. */
  | "limited"
  /** It does not answer, answers with an error, or with what cannot be read. */
  | "unavailable";
/** A source gave no answer that can be used. Nothing may be concluded about its releases. */
export interface SourceFailure {
  readonly state: "failed";
  readonly reason: FailureReason;
  /** A sentence for people, the same each time for the same fault; without credentials. */
  readonly message: string;
  readonly notBefore?: Time | undefined;
}
/** The source was not asked: `notBefore` is yet to come. */
export interface NotDue {
  readonly state: "not due";
}

/** The answer to the question which releases there are. */
export type Listing =
  | {
      readonly state: "listed";
      /** Names this list: asked again with it, an unchanged source need not be read. */
      readonly version: string;
      /** All of them: a list of which a part is missing is a failure. */
      readonly releases: readonly ListedRelease[];
    }
  | { readonly state: "unchanged" }
  | NotDue
  | SourceFailure;

/** The content of an archive by paths, or in words why it cannot be unpacked. */
export type Archive = { readonly files: ReadonlyMap<string, Uint8Array> } | { readonly fault: string };

/** The assets of a release: those of its files that `isAsset` names. */
export interface OpenedRelease {
  /** Names the content: releases of the same digest have the same assets, whichever source they come from. */
  readonly digest: string;
  /** The name that earlier versions of this program gave it: what they stored is the same content. */
  readonly formerDigest?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Those of them that are archives, unpacked. */
  readonly archives: ReadonlyMap<string, Archive>;
}

/** The answer to the question for the assets of a release. */
export type Opening =
  | { readonly state: "opened"; readonly release: OpenedRelease }
  /** The source has no release of this tag. */
  | { readonly state: "absent"; readonly message: string }
  /** It is not what the source says that it is: too large, of another digest. */
  | { readonly state: "damaged"; readonly message: string }
  | NotDue
  | SourceFailure;

/**
 * The sources of releases, by the names that the configuration gives them. Never throws for a fault of a source: the answer tells it.
 * An asset is given whole or not at all.
 */
export interface Releases {
  /** Lists the releases of a source. `known`: the version of the list that whoever asks has. */
  list(source: string, asking?: Asking & { readonly known?: string | undefined }): Promise<Listing>;
  /** Reads the assets of one release. */
  open(source: string, tag: string, asking?: Asking): Promise<Opening>;
}

/** True for a file of a release that Reveille reads. Images, their descriptions and what packers leave for people are others' business. */
export const isAsset = (name: string): boolean =>
  ["metadata.yaml", "clusteraddon.yaml", "cluster-addon-values.yaml"].includes(name) || isChartArchive(name);
/** True for an asset that is an archive of charts. */
export const isChartArchive = (name: string): boolean => /-cluster-(class|addon)-[^/]*\.tgz$/.test(name);
