import { completeEvent } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { HttpError } from "./answer.ts";
import { malformed, parseJson } from "./body.ts";

/** Attributes as they are named in JSON. */
export type RawEvent = Readonly<Record<string, unknown>>;

const STRUCTURED = "application/cloudevents+json";
const BATCH = "application/cloudevents-batch+json";
const MAXIMUM_BATCH = 1_000;

/** CloudEvents 1.0 over HTTP: binary, structured or batched. https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md */
export function readCloudEvents(request: Request, body: Uint8Array, clock: Clock): readonly RawEvent[] {
  const mediaType = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaType === BATCH) {
    const events = parseJson(body);
    if (!Array.isArray(events)) throw malformed(["(body): expected array"]);
    if (events.length > MAXIMUM_BATCH) throw malformed([`(body): at most ${MAXIMUM_BATCH} events`]);
    return events.map((event, index) => complete(event, clock, `[${index}]`));
  }
  if (mediaType === STRUCTURED) return [complete(parseJson(body), clock, "")];
  if (mediaType.startsWith("application/cloudevents"))
    throw new HttpError("HTTP_MEDIA_TYPE", `Events come in JSON here: send ${STRUCTURED} or ${BATCH}.`);
  if (request.headers.get("ce-specversion") === null)
    throw malformed([
      `ce-specversion: no such header, and the content type is not ${STRUCTURED}: this is no CloudEvent`,
    ]);
  if (mediaType !== "application/json")
    throw new HttpError(
      "HTTP_MEDIA_TYPE",
      `The payload must be application/json, not ${mediaType || "of no type"}.`,
    );
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of request.headers)
    if (name.startsWith("ce-")) attributes[name.slice(3)] = decoded(name, value);
  const traceparent = request.headers.get("traceparent");
  return [
    complete(
      {
        ...(traceparent !== null && { traceparent }),
        ...attributes,
        datacontenttype: "application/json",
        data: parseJson(body),
      },
      clock,
      "",
    ),
  ];
}

/** Header values may be quoted, and are percent-encoded where they are not plain (section 3.1.3.2 of the binding). */
function decoded(name: string, value: string): string {
  const quoted = /^"(.*)"$/s.exec(value)?.[1];
  try {
    return decodeURIComponent(quoted?.replaceAll(/\\(.)/gs, "$1") ?? value);
  } catch (thrown) {
    throw malformed([`${name}: is not percent-encoded UTF-8`], thrown);
  }
}

function complete(event: unknown, clock: Clock, path: string): RawEvent {
  if (typeof event !== "object" || event === null || Array.isArray(event))
    throw malformed([`${path || "(body)"}: expected object`]);
  return completeEvent(withPayload(event, path === "" ? "" : `${path}.`), clock.now()) as RawEvent;
}

/** The JSON format lets one write the payload in Base64 instead (section 3.1.1). It is JSON here all the same. */
function withPayload(event: object, path: string): object {
  if (!("data_base64" in event)) return event;
  const { data_base64: text, ...attributes } = event;
  if ("data" in event) throw malformed([`${path}data_base64: stands beside data; send one of them`]);
  if (typeof text !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw malformed([`${path}data_base64: expected Base64`]);
  try {
    return { ...attributes, data: parseJson(Buffer.from(text, "base64")) };
  } catch (thrown) {
    if (!(thrown instanceof HttpError)) throw thrown;
    throw malformed([`${path}data_base64: holds no JSON`], thrown);
  }
}
