/** The user as whom Reveille comes to runtimes, and its token. */
export const ENGINE = "engine";
/** The user of a runtime, and its token. */
export const USER = "user";

/** The requests of Reveille to all runtimes so far. */
export interface Counts {
  readonly writes: number;
  readonly reads: number;
  /** The questions whether the server is there. */
  readonly probes: number;
  /** Watches that were opened, and those that are open. */
  readonly watches: number;
  readonly watching: number;
}

/** A Kyma that is a copy of another, and its runtime likewise. */
export interface Copied {
  readonly name: string;
  /** The texts of the model that are others here, each as long as what it replaces. */
  readonly replaced: readonly (readonly [from: string, to: string])[];
}

/** When a version of a module was first applied in each runtime, by its name: milliseconds since the epoch. */
export type Applied = Readonly<Record<string, number>>;
/** Names one version of a module. */
export const versionOf = (module: string, version: string): string => `${module}@${version}`;

/** A text of the model as it stands in a copy. */
export const copied = (text: string, { replaced }: Copied): string =>
  replaced.reduce((now, [from, to]) => now.replaceAll(from, to), text);
