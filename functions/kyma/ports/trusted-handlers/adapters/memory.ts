import type { HandlerAnswer, HandlerQuestion, TrustedHandlers } from "../contract.ts";
import { unknownHandler } from "./unknown.ts";

/** A handler as a function. */
export type PlayedHandler = (question: HandlerQuestion) => Partial<HandlerAnswer>;

/** Handlers in memory, for tests. */
export interface MemoryHandlers extends TrustedHandlers {
  /** Sets a handler. What it leaves out of its answer is: nothing to apply, and all is done. */
  set(name: string, handler: PlayedHandler): void;
  /** The questions that were asked. */
  readonly asked: readonly HandlerQuestion[];
}

export function memoryHandlers(): MemoryHandlers {
  const handlers = new Map<string, PlayedHandler>();
  const asked: HandlerQuestion[] = [];
  return {
    asked,
    set: (name, handler) => void handlers.set(name, handler),
    ask: async (name, question) => {
      const handler = handlers.get(name);
      if (handler === undefined) return unknownHandler(name);
      asked.push(structuredClone(question));
      return {
        ...{ state: "answered", objects: [], waitingFor: undefined, askAgain: undefined },
        ...handler(question),
      } as HandlerAnswer;
    },
  };
}
