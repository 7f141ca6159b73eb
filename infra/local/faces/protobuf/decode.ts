import { badRequest } from "../../api-error.ts";
import { isObject } from "../../json.ts";
import type { ApiObject, DecodeProtobuf } from "../../resource-type.ts";
import { decodeMessage, hasMessage } from "./table.ts";
import { WireError } from "./wire.ts";

/** Every protobuf body of Kubernetes begins with these four bytes. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

/** Package of the messages of a group, where it is not the group's first word. */
const packages: Readonly<Record<string, string>> = { "": "core", "rbac.authorization.k8s.io": "rbac" };

/** `apps/v1`, `Deployment` → `apps.v1.Deployment`. Options of requests are the same in every group. */
function messageName(apiVersion: string, kind: string): string {
  if (kind === "DeleteOptions") return "meta.v1.DeleteOptions";
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return `${packages[group] ?? group.split(".")[0]}.${version}.${kind}`;
}

/** The object of a protobuf body; undefined where its kind is not known here. Throws a 400 where the bytes are broken. */
export const decodeProtobuf: DecodeProtobuf = (body) => {
  if (MAGIC.some((byte, index) => body[index] !== byte))
    throw badRequest(
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    );
  try {
    const envelope = decodeMessage(body.subarray(MAGIC.length), "Unknown");
    if (!isObject(envelope) || !isObject(envelope.typeMeta)) return undefined;
    const { apiVersion = "", kind = "" } = envelope.typeMeta;
    const name = messageName(String(apiVersion), String(kind));
    if (!hasMessage(name)) return undefined;
    const raw = Buffer.from(String(envelope.raw ?? ""), "base64");
    const object = decodeMessage(raw, name);
    if (!isObject(object)) return undefined;
    return { apiVersion, kind, ...object, metadata: object.metadata ?? {} } as ApiObject;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw badRequest(`the protobuf body cannot be read: ${error.message}`);
  }
};
