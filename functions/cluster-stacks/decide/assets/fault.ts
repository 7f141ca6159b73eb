import type { CelFault } from "./cel.ts";

/** A fault in the assets of a release: a value, so that all are told at once. */
export interface AssetFault {
  readonly file: string;
  /** The stage of clusteraddon.yaml: `cni of BeforeClusterUpgrade`. */
  readonly stage?: string | undefined;
  /** The path of the field, from the stage where there is one. */
  readonly field?: string | undefined;
  readonly message: string;
  /** Set where it is one of a condition. */
  readonly reason?: CelFault["reason"] | undefined;
}

/** `clusteraddon.yaml: stage cni of BeforeClusterUpgrade: action: it is missing`. */
export const faultText = ({ file, stage, field, message }: AssetFault): string =>
  [file, stage && `stage ${stage}`, field, message].filter((part) => part).join(": ");
