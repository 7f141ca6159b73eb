// A server that lists so many Widgets of so many bytes each, page by page, and then streams a change of each. What they hold is what
// somebody wrote who wants to be in the way: long, wide, of nothing but empty values, deep, of numbers, in other letters.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const count = Number(process.argv[2] ?? 300);
const bytes = Number(process.argv[3] ?? 1_400_000);

const many = (one: (index: number) => string): string => {
  const parts: string[] = [];
  for (let length = 0; length < bytes; length += (parts.at(-1)?.length ?? 0) + 1)
    parts.push(one(parts.length));
  return parts.join(",");
};
const values = [
  `"${"x".repeat(bytes)}"`,
  `[${many(() => "{}")}]`,
  `{${many((index) => `"k${index}":1`)}}`,
  `[${many(() => "[]")}]`,
  `[${many(() => "0.5")}]`,
  `${"[".repeat(5_000)}"${"x".repeat(bytes - 10_000)}"${"]".repeat(5_000)}`,
  `"${"世".repeat(bytes / 3)}"`,
];
const widget = (index: number, version: number): string =>
  `{"apiVersion":"bench.example.org/v1","kind":"Widget","metadata":{"name":"w${index}","namespace":"tenant","uid":"uid-${index}","resourceVersion":"${version}","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"value":${version},"message":"m","any":${values[index % values.length]}}}`;

const send = (response: ServerResponse, text: string): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed || response.write(text)) return resolve();
    const go = (): void => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });

async function stream(response: ServerResponse, after: number): Promise<void> {
  for (let index = Math.max(0, after - 1_000); index < count; index++)
    await send(response, `{"type":"MODIFIED","object":${widget(index, 1_001 + index)}}\n`);
  const end = { kind: "Widget", metadata: { resourceVersion: String(1_001 + count) } };
  response.write(`${JSON.stringify({ type: "BOOKMARK", object: end })}\n`);
}

async function list(response: ServerResponse, query: URLSearchParams): Promise<void> {
  const from = Number(query.get("continue") ?? 0);
  const to = Math.min(count, from + Number(query.get("limit") ?? 500));
  const metadata = { resourceVersion: "1000", ...(to < count && { continue: String(to) }) };
  response.write(`{"metadata":${JSON.stringify(metadata)},"items":[`);
  for (let index = from; index < to; index++)
    await send(response, `${index > from ? "," : ""}${widget(index, index + 1)}`);
  response.end("]}");
}

const server = createServer((request, response) => {
  const { searchParams, pathname } = new URL(request.url ?? "/", "http://localhost");
  response.setHeader("content-type", "application/json");
  if (!pathname.endsWith("/widgets")) response.writeHead(404).end("{}");
  else if (searchParams.has("watch")) {
    response.flushHeaders();
    void stream(response, Number(searchParams.get("resourceVersion")));
  } else void list(response, searchParams);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
