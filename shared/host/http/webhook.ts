import { createHash } from "node:crypto";
import type { Envelope } from "../../../events/index.ts";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Delivery, Notice, Trigger } from "../../function/trigger.ts";
import { answer, type FetchHandler, HttpError } from "./answer.ts";
import { malformed, parseJson, readBody } from "./body.ts";
import { bearerOf } from "./caller.ts";
import { publishDurably } from "./publish.ts";
import { Replays } from "./replays.ts";
import { isSame, isSigned, type Secret } from "./secret.ts";

export interface WebhookParts {
  readonly trigger: Trigger;
  /** What both sides know: the key of the signature, or the token. */
  readonly secret: Secret;
  readonly bus: Pick<Bus, "publish" | "ready">;
  readonly clock: Clock;
  readonly maximumBody: number;
  /** Default: three days. */
  readonly replayMilliseconds?: number | undefined;
}

/** `POST /triggers/<name>`: 202 once what it tells is durable, 200 where it tells nothing new. */
export function webhook(parts: WebhookParts): FetchHandler {
  const { trigger, secret, bus, clock, maximumBody } = parts;
  const replays = new Replays(clock, parts.replayMilliseconds);
  return async (request) => {
    const bytes = await readBody(request, maximumBody);
    await prove(trigger, request, bytes, await secret());
    const delivery: Delivery = {
      header: (name) => request.headers.get(name) ?? undefined,
      body: parseJson(bytes),
    };
    const type = typeOf(trigger, delivery);
    const reading = trigger.read(type, delivery);
    if ("issues" in reading) throw malformed(reading.issues);
    if ("ignored" in reading) return answer(200, { accepted: [], ignored: reading.ignored });
    const timely = timelyOf(trigger, reading.notices, replays);
    // The headers are not signed: the same body under another name is the same delivery.
    const id = trigger.deliveryHeader && delivery.header(trigger.deliveryHeader);
    const ids = [`body ${createHash("sha256").update(bytes).digest("hex")}`, ...(id ? [`id ${id}`] : [])];
    if (replays.knows(ids)) return answer(200, { accepted: [], ignored: "It was taken before." });
    if (timely.length === 0) return answer(200, { accepted: [], ignored: "It happened too long ago." });
    const events = timely.map((notice) => eventOf(trigger, notice, clock));
    await publishDurably(bus, events, clock);
    replays.remember(ids);
    return answer(202, { accepted: events.map(({ id }) => id) });
  };
}

async function prove(
  { name, proof }: Trigger,
  request: Request,
  body: Uint8Array,
  secret: string,
): Promise<void> {
  if (proof === "bearer") {
    if (isSame(bearerOf(request) ?? "", secret)) return;
    throw new HttpError("HTTP_UNAUTHORIZED", `The token is not the one that ${name} was given.`, {
      headers: { "www-authenticate": "Bearer" },
    });
  }
  if (isSigned(body, secret, request.headers.get(proof.signature) ?? undefined)) return;
  throw new HttpError(
    "HTTP_UNAUTHORIZED",
    `${proof.signature} is no signature of this body: give both sides the same secret.`,
  );
}

function typeOf({ types, ...trigger }: Trigger, delivery: Delivery): string {
  const type = trigger.typeOf(delivery);
  if (type !== undefined && types.includes(type)) return type;
  throw new HttpError(
    "HTTP_UNKNOWN_TYPE",
    `${type === undefined ? "It does not say of which type it is" : `${type.slice(0, 256)} is not taken here`}; known are ${types.join(", ")}.`,
  );
}

function timelyOf({ late }: Trigger, notices: readonly Notice[], replays: Replays): readonly Notice[] {
  const timely = notices.filter(({ at }) => replays.isTimely(at));
  if (late === "refuse" && timely.length < notices.length)
    throw new HttpError(
      "HTTP_TOO_OLD",
      "What it tells happened too long ago, or has not happened yet: send a new delivery, and look at the clocks.",
    );
  return timely;
}

function eventOf({ name }: Trigger, { at, event }: Notice, clock: Clock): Envelope {
  return {
    specversion: "1.0",
    ...event,
    source: `/triggers/${name}`,
    time: at ?? new Date(clock.now()).toISOString(),
    datacontenttype: "application/json",
  };
}
