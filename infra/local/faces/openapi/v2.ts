import type { ApiRequest, ApiResponse } from "../../resource-type.ts";
import { headerOf, plain, tagged } from "../answer.ts";

/**
 * The old OpenAPI document, in protobuf (gnostic's `openapi_v2.Document`). kubectl still reads it for files of kind List:
 * it wants to find that namespaces can be patched with `fieldValidation`. So nothing else is in it.
 */
const MEDIA_TYPE = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/** The name of the same form in answers: an `@` is not allowed in a media type. */
const ANSWERED_AS = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
const LENGTH_DELIMITED = 2;
const field = (number: number, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from([...varint((number << 3) | LENGTH_DELIMITED), ...varint(bytes.length)]), bytes]);
const text = (number: number, value: string): Uint8Array => field(number, Buffer.from(value));
const message = (...fields: readonly Uint8Array[]): Uint8Array => Buffer.concat(fields);

function documentV2(): Uint8Array {
  const kind = 'group: ""\nkind: Namespace\nversion: v1\n';
  const extension = field(13, message(text(1, "x-kubernetes-group-version-kind"), field(2, text(2, kind))));
  const query = message(text(2, "query"), text(4, "fieldValidation"), text(6, "string"));
  // ParametersItem.parameter → Parameter.non_body_parameter → NonBodyParameter.query_parameter_sub_schema
  const parameter = field(8, field(1, field(2, field(3, query))));
  const patch = field(8, message(parameter, extension));
  const path = field(2, message(text(1, "/api/v1/namespaces/{name}"), field(2, patch)));
  return message(text(1, "2.0"), field(2, message(text(1, "Kubernetes"), text(2, "v1.36"))), field(8, path));
}

/** `/openapi/v2`, in protobuf only. */
export function answerOpenApiV2(request: ApiRequest): ApiResponse {
  if (!headerOf(request, "accept").includes(MEDIA_TYPE))
    return plain("only OpenAPI v3 is offered in JSON: see /openapi/v3\n", 406);
  return tagged(request, { status: 200, headers: { "content-type": ANSWERED_AS }, body: documentV2() });
}
