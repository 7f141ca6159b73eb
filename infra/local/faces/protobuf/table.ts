import { isObject, type JsonObject, setOwn } from "../../json.ts";
import { admissionregistrationV1 } from "./messages/admissionregistration-v1.ts";
import { apiextensionsV1 } from "./messages/apiextensions-v1.ts";
import { appsV1 } from "./messages/apps-v1.ts";
import { authenticationV1 } from "./messages/authentication-v1.ts";
import { authorizationV1 } from "./messages/authorization-v1.ts";
import { autoscalingV1 } from "./messages/autoscaling-v1.ts";
import { autoscalingV2 } from "./messages/autoscaling-v2.ts";
import { batchV1 } from "./messages/batch-v1.ts";
import { coordinationV1 } from "./messages/coordination-v1.ts";
import { coreV1 } from "./messages/core-v1.ts";
import { discoveryV1 } from "./messages/discovery-v1.ts";
import { eventsV1 } from "./messages/events-v1.ts";
import { metaV1 } from "./messages/meta-v1.ts";
import { networkingV1 } from "./messages/networking-v1.ts";
import { policyV1 } from "./messages/policy-v1.ts";
import { rbacV1 } from "./messages/rbac-v1.ts";
import { schedulingV1 } from "./messages/scheduling-v1.ts";
import { storageV1 } from "./messages/storage-v1.ts";
import { bytesOf, type Decode, scalars } from "./scalars.ts";
import { wellKnown } from "./well-known.ts";
import { readFields, WireError } from "./wire.ts";

/** Package → its lines. */
const tables: Readonly<Record<string, string>> = {
  "admissionregistration.v1": admissionregistrationV1,
  "apiextensions.v1": apiextensionsV1,
  "apps.v1": appsV1,
  "authentication.v1": authenticationV1,
  "authorization.v1": authorizationV1,
  "autoscaling.v1": autoscalingV1,
  "autoscaling.v2": autoscalingV2,
  "batch.v1": batchV1,
  "coordination.v1": coordinationV1,
  "core.v1": coreV1,
  "discovery.v1": discoveryV1,
  "events.v1": eventsV1,
  "meta.v1": metaV1,
  "networking.v1": networkingV1,
  "policy.v1": policyV1,
  "rbac.v1": rbacV1,
  "scheduling.v1": schedulingV1,
  "storage.v1": storageV1,
};

/** A field of a message: its name in JSON (none: its fields stand beside those of the holder), and how it is read. */
interface Field {
  readonly name: string;
  readonly decode: Decode;
  readonly many: "one" | "list" | "map" | "inline";
  /** The value that Go leaves out of JSON; undefined where it leaves out none. */
  readonly leftOut: unknown;
}
type Message = ReadonlyMap<number, Field>;

/** No type of the API nests deeper, but for the schemas of CRDs. */
const DEEPEST = 128;

/**
 * A field of a table: `name=number`, then the type: a letter (`s` text, `x` bytes, `b` flag, `i` integer, `d` float) or
 * `.Message` of the same package or `.package.v1.Message`. `[…]` is a list, `{…}` a map from texts. A `?` says that Go
 * leaves the zero out.
 */
const FIELD = /^([^=]*)=(\d+)([[{]?)([^\]}?]+)[\]}]?(\??)$/;

function fieldOf(spelled: string, home: string): readonly [number, Field] {
  const [, name = "", number, bracket, type = "", question] = FIELD.exec(spelled) ?? [];
  const scalar = scalars.get(type);
  const decode = scalar?.decode ?? decoderOf(type, home);
  if (bracket === "{") {
    // On the wire a map is a list of entries, and an empty value is left out there.
    const entry: Message = new Map([
      [1, { name: "key", decode: scalars.get("s")?.decode ?? decode, many: "one", leftOut: undefined }],
      [2, { name: "value", decode, many: "one", leftOut: undefined }],
    ]);
    const empty: Decode = (_, depth) => scalar?.zero ?? decode(new Uint8Array(), depth);
    const read: Decode = (value, depth) => {
      const { key = "", value: held = empty(value, depth) } = fieldsOf(bytesOf(value), entry, depth);
      return { key, value: held };
    };
    return [Number(number), { name, decode: read, many: "map", leftOut: undefined }];
  }
  const many = bracket === "[" ? "list" : name === "" ? "inline" : "one";
  return [Number(number), { name, decode, many, leftOut: question === "?" ? scalar?.zero : undefined }];
}

/** Reads messages of a type, which is looked up when the first of them comes. */
function decoderOf(type: string, home: string): Decode {
  const path = type.startsWith(".") ? type.slice(1) : type;
  const full = path.includes(".") || path in wellKnown ? path : `${home}.${path}`;
  return (value, depth) => decodeMessage(bytesOf(value), full, depth + 1);
}

const known = new Map<string, Message>();

function messageOf(name: string): Message | undefined {
  const found = known.get(name);
  if (found !== undefined) return found;
  const home = name.split(".").slice(0, -1).join(".");
  const line = wellKnown[name]?.fields ?? lineOf(name, home);
  if (line === undefined) return undefined;
  const words = line.split(" ").filter((word) => word !== "");
  const message: Message = new Map(words.map((word) => fieldOf(word, home)));
  known.set(name, message);
  return message;
}

function lineOf(name: string, home: string): string | undefined {
  const table = Object.hasOwn(tables, home) ? (tables[home] ?? "") : "";
  const start = `${name.slice(home.length + 1)} `;
  return table
    .split("\n")
    .find((line) => `${line} `.startsWith(start))
    ?.slice(start.length);
}

/** True where a message is in the tables. */
export const hasMessage = (name: string): boolean => messageOf(name) !== undefined;

/** The JSON of a message, for example of `core.v1.Pod`. Throws a `WireError` where the bytes are none. */
export function decodeMessage(bytes: Uint8Array, name: string, depth = 0): unknown {
  if (depth > DEEPEST) throw new WireError(`the message nests deeper than ${DEEPEST}`);
  const message = messageOf(name);
  if (message === undefined) throw new WireError(`no message ${name} is known`);
  const fields = fieldsOf(bytes, message, depth);
  return Object.hasOwn(wellKnown, name) ? wellKnown[name]?.spell(fields) : fields;
}

/** A field that the table lacks is of a newer client: it is dropped, as the real server drops it. */
function fieldsOf(bytes: Uint8Array, message: Message, depth: number): JsonObject {
  const object: JsonObject = {};
  for (const { number, value } of readFields(bytes)) {
    const field = message.get(number);
    if (field === undefined) continue;
    const decoded = field.decode(value, depth);
    if (decoded === undefined || decoded === field.leftOut) continue;
    if (field.many === "inline") Object.assign(object, decoded);
    else if (field.many === "list") {
      const list = object[field.name];
      if (Array.isArray(list)) list.push(decoded);
      else object[field.name] = [decoded];
    } else if (field.many === "map" && isObject(decoded)) {
      const found = object[field.name];
      const map = isObject(found) ? found : {};
      setOwn(map, String(decoded.key), decoded.value);
      object[field.name] = map;
    } else object[field.name] = decoded;
  }
  return object;
}
