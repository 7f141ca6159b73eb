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
import type { Unproven } from "./unproven.ts";

export interface WebhookParts {
  readonly trigger: Trigger;
  /** The secret that both sides know: the key of the signature, or the token. */
  readonly secret: Secret;
  readonly bus: Pick<Bus, "publish" | "ready">;
  readonly clock: Clock;
  readonly maximumBody: number;
  /** The limit on bodies that must be read before their senders are known. */
  readonly unproven: Unproven;
  /** Default: three days. */
  readonly replayMilliseconds?: number | undefined;
}

/** `POST /triggers/<name>`: 202 once what it tells is durable, 200 where it tells nothing new. */
export function webhook(parts: WebhookParts): FetchHandler {
  const { trigger, secret, bus, clock } = parts;
  const replays = new Replays(clock, parts.replayMilliseconds);
  return async (request) => {
    const known = await secret();
    const bytes = await proven(trigger, request, known, parts);
    const delivery: Delivery = {
      header: (name) => request.headers.get(name) ?? undefined,
      body: parseJson(bodyOf(trigger, request, bytes)),
    };
    const type = typeOf(trigger, delivery);
    if (!trigger.types.includes(type))
      return answer(200, {
        accepted: [],
        ignored: `Deliveries of type ${type.slice(0, 256)} are no news here.`,
      });
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

/** The body of a sender who is proven: a token before anything of it is read, a signature with what it signs. Throws 401. */
async function proven(
  { name, proof }: Trigger,
  request: Request,
  secret: string,
  { maximumBody, unproven }: Pick<WebhookParts, "maximumBody" | "unproven">,
): Promise<Uint8Array<ArrayBuffer>> {
  if (proof === "bearer") {
    if (isSame(bearerOf(request) ?? "", secret)) return readBody(request, maximumBody);
    throw new HttpError("HTTP_UNAUTHORIZED", `The token is not the one that ${name} was given.`, {
      headers: { "www-authenticate": "Bearer" },
    });
  }
  return unproven.during(async (take) => {
    const body = await readBody(request, maximumBody, take);
    if (isSigned(body, secret, request.headers.get(proof.signature) ?? undefined)) return body;
    throw new HttpError(
      "HTTP_UNAUTHORIZED",
      `${proof.signature} is no signature of this body: give both sides the same secret.`,
    );
  });
}

const FORM = "application/x-www-form-urlencoded";

/** The JSON of a delivery, as it came or in the field of a form. */
function bodyOf({ name, formField }: Trigger, request: Request, bytes: Uint8Array): Uint8Array {
  const mediaType = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (mediaType !== FORM) return bytes;
  const field = formField && new URLSearchParams(new TextDecoder().decode(bytes)).get(formField);
  if (typeof field === "string") return new TextEncoder().encode(field);
  throw new HttpError(
    "HTTP_MEDIA_TYPE",
    `${name} sends ${formField === undefined ? "a form" : `a form without ${formField}`}: choose application/json where its webhook is set up.`,
  );
}

/** A type that it knows, or one that is to be ignored. Throws 422. */
function typeOf({ types, others, ...trigger }: Trigger, delivery: Delivery): string {
  const type = trigger.typeOf(delivery);
  if (type !== undefined && (types.includes(type) || others === "ignore")) return type;
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

/** The event that a notice becomes. */
export function eventOf({ name }: Pick<Trigger, "name">, { at, event }: Notice, clock: Clock): Envelope {
  return {
    specversion: "1.0",
    ...event,
    source: `/triggers/${name}`,
    time: at ?? new Date(clock.now()).toISOString(),
    datacontenttype: "application/json",
  };
}
