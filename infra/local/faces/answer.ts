import { createHash } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../resource-type.ts";

const JSON_TYPE = "application/json";

/** A JSON answer. */
export const json = (body: unknown, status = 200, contentType = JSON_TYPE): ApiResponse => ({
  status,
  headers: { "content-type": contentType },
  body: JSON.stringify(body),
});

/** A text answer. */
export const plain = (body: string, status = 200): ApiResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  body,
});

export const headerOf = (request: ApiRequest, name: string): string => {
  const found = request.headers[name];
  return typeof found === "string" ? found : (found?.join(",") ?? "");
};

/** The same answer with its ETag; 304 where the client has it already. */
export function tagged(request: ApiRequest, response: ApiResponse): ApiResponse {
  const tag = `"${createHash("sha256").update(response.body).digest("hex").toUpperCase()}"`;
  const headers = { ...response.headers, etag: tag, "cache-control": "public", vary: "Accept" };
  const known = headerOf(request, "if-none-match")
    .split(",")
    .map((one) => one.trim());
  return known.includes(tag) ? { status: 304, headers, body: "" } : { ...response, headers };
}
