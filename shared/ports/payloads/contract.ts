/**
 * A source of release payloads: a pull spec in, the files of the release image out. Nothing is parsed here. An adapter gives only
 * what lies directly in `manifests/` and `release-manifests/`, both of which must be there, and never reads outside of its own
 * folder or image.
 */
export interface Payloads {
  /**
   * Finds the payload of a pull spec and judges it. Cheap when nothing changed: the files are read by `files()`, which a caller
   * that knows the fingerprint need not ask.
   * @throws PayloadsError. A verdict is never thrown.
   */
  load(image: string): Promise<PayloadBundle>;
}

/** The files of one release image, and how far they are to be trusted. */
export interface PayloadBundle {
  /** The pull spec that was asked for. */
  readonly image: string;
  /** Bundles with the same fingerprint hold the same files. Opaque. */
  readonly fingerprint: string;
  readonly verification: Verification;
  /**
   * The files, in no particular order.
   *
   * @throws PayloadsError as `load` does.
   */
  files(): Promise<readonly PayloadFile[]>;
}

export interface PayloadFile {
  /** `manifests/<name>` or `release-manifests/<name>`, with `/` on every system. */
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * The verdict of the verifier. `unverified`: nobody looked (the default), which history shows as `verified: false`. `failed`:
 * somebody looked and found no valid signature; only `force` goes on.
 */
export type Verification =
  | { readonly verdict: "verified" }
  | { readonly verdict: "unverified" | "failed"; readonly message: string };

/** Judges an image before its content is used, by whatever means: signatures, an allow list. Must not throw for a bad signature. */
export type Verifier = (image: string) => Promise<Verification>;

/** The verifier of those who set none. */
export const unverified: Verifier = async () => ({
  verdict: "unverified",
  message: "no signature was looked for: no verifier is configured",
});
