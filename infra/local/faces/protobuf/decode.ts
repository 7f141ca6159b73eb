import { isObject } from "../../json.ts";
import type { ApiObject, DecodeProtobuf } from "../../resource-type.ts";
import { decodeMessage, type Message, one, text } from "./fields.ts";
import { messages } from "./kinds.ts";
import { WireError } from "./wire.ts";

/** Every protobuf body of Kubernetes begins with these four bytes. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

/** `runtime.Unknown`: type and raw bytes of the object inside. */
const envelope: Message = {
  1: one("typeMeta", { 1: one("apiVersion", text), 2: one("kind", text) }),
  2: one("raw", (value) => value),
  3: one("contentEncoding", text),
  4: one("contentType", text),
};

/** The object of a protobuf body; undefined where its kind, or a field that it carries, is not known here. */
export const decodeProtobuf: DecodeProtobuf = (body) => {
  if (MAGIC.some((byte, index) => body[index] !== byte)) return undefined;
  try {
    const { typeMeta, raw = new Uint8Array() } = decodeMessage(body.subarray(MAGIC.length), envelope);
    if (!isObject(typeMeta) || !(raw instanceof Uint8Array)) return undefined;
    const message = messages[`${String(typeMeta.apiVersion)}/${String(typeMeta.kind)}`];
    if (message === undefined) return undefined;
    return { ...typeMeta, ...withMetadata(decodeMessage(raw, message)) } as ApiObject;
  } catch (error) {
    // Not known is an answer here (415: send JSON), not a fault of the server.
    if (error instanceof WireError || error instanceof TypeError) return undefined;
    throw error;
  }
};

const withMetadata = (object: Record<string, unknown>): Record<string, unknown> => ({
  ...object,
  metadata: object.metadata ?? {},
});
