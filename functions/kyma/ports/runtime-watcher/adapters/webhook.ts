import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { Clock } from "../../../../../shared/clock/clock.ts";
import { messageOf } from "../../../../../shared/errors.ts";
import { jsonOf } from "../../../../../shared/json/parse.ts";
import type { Log } from "../../../../../shared/log/log.ts";
import type { RuntimeWatcherOptions } from "../contract.ts";
import { type Change, seenIn } from "../told/index.ts";

/** Bytes of an AdmissionReview at most: two objects of the greatest size that a server stores, and more. */
const MAXIMUM_BODY = 8 * 1_048_576;
const PATH = /^\/validate\/([A-Za-z0-9._-]{1,253})$/;
const LOOK_MILLISECONDS = 10_000;

/** Answers the API server at once, always with yes, and hands over what changed. */
const webhookListener =
  (take: (change: Change | undefined) => void, log: Log): RequestListener =>
  (request, response) => {
    const end = (status: number, body = ""): void => {
      if (!request.complete) response.setHeader("connection", "close");
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    };
    const manager = PATH.exec((request.url ?? "").split("?")[0] ?? "")?.[1];
    if (manager === undefined) return end(404);
    if (request.method !== "POST") return end(405);
    bodyOf(request).then(
      (text) => {
        try {
          if (text === undefined) return end(413);
          const seen = seenIn(manager, jsonOf(text));
          if (seen === undefined) {
            // The API server lets the write pass without an answer: failurePolicy is Ignore.
            log.warn({ manager }, "what was asked is no question of an API server");
            return end(400);
          }
          take(seen.change);
          end(200, JSON.stringify(seen.answer));
        } catch (thrown) {
          log.warn({ reason: messageOf(thrown) }, "cannot take a question of the API server");
          end(400);
        }
      },
      (thrown: unknown) => {
        log.warn({ reason: messageOf(thrown) }, "a question of the API server broke off");
        response.destroy();
      },
    );
  };

/** The body as text; undefined where it is too long. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAXIMUM_BODY) return void chunks.push(chunk);
      chunks = [];
      resolve(undefined);
    });
    request.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    request.on("error", reject);
  });
}

/** The webhook's server, not yet listening: TLS 1.3, with the certificate of the files, which are read again as they change. */
export function webhookServer(
  take: (change: Change | undefined) => void,
  {
    files,
    clock,
    log,
  }: { readonly files: RuntimeWatcherOptions["files"]; readonly clock: Clock; readonly log: Log },
): { readonly server: Server; stopLooking(): void } {
  const context = () => ({
    minVersion: "TLSv1.3" as const,
    cert: readFileSync(files.certificate, "utf8"),
    key: readFileSync(files.key, "utf8"),
  });
  let shown = context();
  const server = createServer(shown, webhookListener(take, log));
  let cancel: () => void;
  const look = (): void => {
    try {
      const now = context();
      if (now.cert !== shown.cert || now.key !== shown.key) server.setSecureContext(now);
      shown = now;
    } catch (thrown) {
      log.warn({ reason: messageOf(thrown) }, "cannot read the certificate; the former one is shown");
    }
    cancel = clock.after(LOOK_MILLISECONDS, look);
  };
  cancel = clock.after(LOOK_MILLISECONDS, look);
  return { server, stopLooking: () => cancel() };
}
