import type { HandlerAnswer, HandlerQuestion, TrustedHandlers } from "../contract.ts";

/** A handler as a function. */
export type PlayedHandler = (question: HandlerQuestion) => Partial<HandlerAnswer>;

/** Handlers in memory, for tests. */
export interface MemoryHandlers extends TrustedHandlers {
  /** Sets a handler. What it leaves out of its answer is: nothing to apply, and all is done. */
  set(name: string, handler: PlayedHandler): void;
  /** Takes a handler out of the configuration. */
  forget(name: string): void;
  /** The questions that were asked. */
  readonly asked: readonly HandlerQuestion[];
}

export function memoryHandlers(): MemoryHandlers {
  const handlers = new Map<string, PlayedHandler>();
  const asked: HandlerQuestion[] = [];
  return {
    asked,
    knows: (name) => handlers.has(name),
    set: (name, handler) => void handlers.set(name, handler),
    forget: (name) => void handlers.delete(name),
    ask: async (name, question) => {
      const handler = handlers.get(name);
      if (handler === undefined) throw new TypeError(`nobody set the handler ${name}`);
      asked.push(structuredClone(question));
      return {
        ...{ state: "answered", objects: [], waitingFor: undefined, askAgain: undefined },
        ...handler(question),
      } as HandlerAnswer;
    },
  };
}
