import type * as z from "zod";
import type { Kind } from "../kube/kind.ts";
import type { Verb } from "./declaration.ts";
import type { EffectError, Effects } from "./effects.ts";

/** A runtime hook of Cluster API, as its discovery names it. */
export interface RequestHook {
  readonly apiVersion: string;
  /** The name of the hook: `BeforeClusterUpgrade`. */
  readonly hook: string;
}

/** A hook bound to its schemas: what systems list and hosts answer by. */
export interface HookDeclaration {
  readonly name: string;
  /** The path at which it is asked. */
  readonly path: string;
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  /** Set: Cluster API asks it, and finds it by discovery. */
  readonly requestHook: RequestHook | undefined;
  /** For so long whoever asks waits. */
  readonly timeoutSeconds: number;
  /** The fate of whatever waits for the answer while nobody gives one, as discovery tells it. */
  readonly failurePolicy: "Fail" | "Ignore";
  readonly reads: readonly Kind[];
  readonly writes: readonly Kind[];
  readonly verbs: Readonly<Record<string, readonly Verb[] | undefined>>;
  /** The reason why nothing is stored of what it is told; undefined where something is. */
  readonly storesNothing: string | undefined;
  readonly config: z.ZodType | undefined;
  /** Reads what `store` and `answer` decide on. */
  readonly observe: ((scope: never) => Promise<unknown>) | undefined;
  /** Decides what is stored of the question, without I/O. */
  readonly store: ((world: never, context: never) => Effects | undefined) | undefined;
  /** Decides the answer from what is stored, without I/O. */
  readonly answer: (world: never, context: never) => unknown;
  /** The answer where nothing could be read or stored. */
  readonly failed: ((error: EffectError, asked: never) => unknown) | undefined;
}

/** The path at which Cluster API asks which hooks there are. */
export const DISCOVERY_PATH = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery";

/** The path of a hook: as Cluster API makes it, or one of our own. */
export const hookPath = (name: string, requestHook: RequestHook | undefined): string =>
  requestHook === undefined
    ? `/hooks/${name}`
    : `/${requestHook.apiVersion}/${requestHook.hook.toLowerCase()}/${name}`;
