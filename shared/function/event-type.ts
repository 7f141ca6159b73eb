/** An event type that functions may emit and wake on. */
export interface EventType<Id extends string = string, Payload = unknown> {
  readonly id: Id;
  readonly idOf: (payload: never) => string;
  readonly payload?: Payload;
}

/** `idOf` names the one change and meaning that the payload tells. */
export const defineEvent = <const Id extends string, Payload>(
  id: Id,
  idOf: (payload: Payload) => string,
): EventType<Id, Payload> => ({ id, idOf });
