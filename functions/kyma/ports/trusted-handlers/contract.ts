import type { Time } from "../../../../shared/function/index.ts";

/** The question for a handler: what is to stand in a runtime, or that nothing of a module stands there any more. */
export interface HandlerQuestion {
  /** `Apply`: the module is to stand in the runtime. `Remove`: it is gone from there, and what was made for it outside may go. */
  readonly operation: "Apply" | "Remove";
  readonly kyma: {
    readonly name: string;
    readonly namespace: string;
    /** Absent: the Kyma is gone. */
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly spec?: object;
  };
  readonly module: { readonly name: string; readonly version: string; readonly manifest: string };
  /** The module's own object as it stands in the runtime; null: there is none, or nobody can look. */
  readonly object: object | null;
}

/** The answer of a handler. */
export type HandlerAnswer =
  | {
      readonly state: "answered";
      /** The objects that are to stand in the runtime, as JSON. Nobody may change them. */
      readonly objects: readonly unknown[];
      /** The thing that the handler waits for, in its words; undefined: all is done. */
      readonly waitingFor: string | undefined;
      /** The time at which it wants to be asked again; undefined: whoever asks decides. */
      readonly askAgain: Time | undefined;
    }
  /** It said why it will not; the same question gets the same answer. */
  | { readonly state: "refused"; readonly message: string }
  /** It gave no answer that can be used. Nothing may be concluded. */
  | { readonly state: "failed"; readonly message: string; readonly notBefore?: Time | undefined };

/**
 * Services of the control plane that act outside of it for a module: a tenant, an account, a registration. Asked at each pass, by several hosts
 * at once where one was given up: the same question twice is one deed. Never throws for a fault of a handler.
 */
export interface TrustedHandlers {
  /** True for a handler that is configured: no other may be asked. */
  knows(handler: string): boolean;
  ask(handler: string, question: HandlerQuestion): Promise<HandlerAnswer>;
}
