// A server that lists so many Widgets of 3 KB, page by page, and opens watches that stay silent but for bookmarks: what a watcher
// of a large cluster at rest meets.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const count = Number(process.argv[2] ?? 10_000);
const PAGE = 500;
const BOOKMARK_MILLISECONDS = 30_000;

const widget = (index: number) => ({
  apiVersion: "bench.example.org/v1",
  kind: "Widget",
  metadata: {
    name: `widget-${index}`,
    namespace: "bench",
    uid: `11111111-2222-3333-4444-${String(index).padStart(12, "0")}`,
    resourceVersion: String(index + 1),
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
  spec: { value: index, message: "x".repeat(3_000) },
  status: { observedGeneration: 1, doubled: index * 2 },
});

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://localhost");
  response.setHeader("content-type", "application/json");
  if (searchParams.get("watch") === "true" || searchParams.get("watch") === "1") {
    response.flushHeaders();
    const bookmark = (): void => {
      const object = {
        apiVersion: "bench.example.org/v1",
        kind: "Widget",
        metadata: { resourceVersion: String(count) },
      };
      response.write(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
    };
    bookmark();
    const timer = setInterval(bookmark, BOOKMARK_MILLISECONDS);
    response.once("close", () => clearInterval(timer));
    return;
  }
  const begin = Number(searchParams.get("continue") ?? 0);
  const end = Math.min(count, begin + Math.min(PAGE, Number(searchParams.get("limit") ?? PAGE)));
  const items = Array.from({ length: end - begin }, (_, index) => widget(begin + index));
  const metadata = { resourceVersion: String(count), ...(end < count && { continue: String(end) }) };
  response.end(JSON.stringify({ apiVersion: "bench.example.org/v1", kind: "WidgetList", metadata, items }));
});
process.once("SIGTERM", () => process.exit(0));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
