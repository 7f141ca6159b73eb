import type { Time } from "../../../../shared/function/index.ts";

/** The place of an artifact, as a Manifest has it under `spec.install.source`. */
export interface LayerSource {
  /** `oci-ref`: plain YAML. `oci-dir`: a tar with one file of it. */
  readonly type: "oci-ref" | "oci-dir";
  /** The repository that components lie in. What is read is always the configured one. */
  readonly repo: string;
  /** The name of the component. */
  readonly name: string;
  /** The digest of the artifact. */
  readonly ref: string;
  /** The path of the artifact's repository on the host of components, where it is not that of its component. */
  readonly repository?: string | undefined;
}

/** One version of a component, as far as it is installed. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly source: LayerSource;
  /** The images of the artifact, where they are to be had from. */
  readonly localizedImages: readonly string[];
}

/** There is no such thing. Only the place of components says so: one that fails says nothing. */
export interface Absent {
  readonly state: "absent";
  readonly message: string;
}
/** It is there and cannot be used, until it is published anew. */
export interface Faulty {
  readonly state: "faulty";
  readonly message: string;
}
/** The place of components gave no answer that can be used. Nothing may be concluded. */
export interface Failed {
  readonly state: "failed";
  /** A sentence for people, the same each time for the same fault; without credentials. */
  readonly message: string;
  /** It wants to be asked again only then. */
  readonly notBefore?: Time | undefined;
}

/** The answer to the question for a component. */
export type Description =
  | { readonly state: "described"; readonly component: Component }
  | Absent
  | Faulty
  | Failed;
/** The answer to the question for an artifact. */
export type Layer =
  | {
      readonly state: "read";
      /** Its documents that are not empty, as JSON, in its order. Shared: nobody may change them. */
      readonly documents: readonly unknown[];
      /** Files of objects in its tar that do not count, where there are some. */
      readonly passedOver?: readonly string[];
      /** Keys that stand twice in one object of it, as `document 2: data.mode`, where there are some: the last one counts. */
      readonly doubledKeys?: readonly string[];
    }
  | Absent
  | Faulty
  | Failed;

/**
 * The components of modules: their descriptors and artifacts. Never throws for a fault of a registry: the answer tells it. An artifact is
 * given whole or not at all.
 */
export interface Components {
  /** Reads the descriptor of a component. */
  describe(name: string, version: string): Promise<Description>;
  /** Reads an artifact. `anew`: what is remembered of it does not count. */
  layer(source: LayerSource, asking?: { readonly anew?: boolean }): Promise<Layer>;
}
