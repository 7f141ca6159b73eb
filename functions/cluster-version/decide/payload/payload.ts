import type { KubeObject } from "../../../../shared/kube/object.ts";

/** The profile of a cluster that names none. */
export const DEFAULT_PROFILE = "self-managed-high-availability";

/** One document of one file of a payload. */
export interface Manifest {
  readonly folder: "manifests" | "release-manifests";
  /** File name without its folder: what level and component are read from. */
  readonly file: string;
  /** Counted from 1 within its file, empty documents left out. */
  readonly document: number;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Empty where the manifest names none. */
  readonly namespace: string;
  readonly name: string;
  readonly object: KubeObject;
  /** The JSON that the payload's hash is made of: compact with sorted keys if written as YAML, verbatim if written as JSON. */
  readonly raw: string;
}

/** A release, as in `status.desired` of a ClusterVersion; fields that the payload does not tell are absent. */
export interface Release {
  readonly version: string;
  readonly image: string;
  readonly url?: string;
  /** Sorted. */
  readonly channels?: readonly string[];
  /** Absent: built for one architecture, that of the machine which runs it. */
  readonly architecture?: "Multi";
}

/** All that a payload's files say, before any of it is left out. */
export interface PayloadContents {
  readonly release: Release;
  /** First number of the version: what `release.openshift.io/major-version` is compared with. */
  readonly major: number;
  /** Versions that this release may be reached from, as its metadata says. */
  readonly previous: readonly string[];
  /** Pull spec by tag name, from `image-references`. */
  readonly images: Readonly<Record<string, string>>;
  /** The manifests in the order of the payload: `manifests/` first, each folder in byte order of file names. */
  readonly manifests: readonly Manifest[];
  /** Files that a newer version of this program will understand, in words. */
  readonly warnings: readonly string[];
}

/** A payload as one cluster sees it. */
export interface Payload extends PayloadContents {
  /** Fingerprint of the manifests that are included: FNV-1, 64 bit, in URL-safe base64. */
  readonly versionHash: string;
  /** The manifests that were left out, each with the reason. */
  readonly excluded: readonly Excluded[];
}

export interface Excluded {
  readonly manifest: Manifest;
  readonly why: string;
}
