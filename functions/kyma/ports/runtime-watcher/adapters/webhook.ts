import type { IncomingMessage, RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { messageOf } from "../../../../../shared/errors.ts";
import { jsonOf } from "../../../../../shared/json/parse.ts";
import type { Log } from "../../../../../shared/log/log.ts";
import type { RuntimeWatcherOptions } from "../contract.ts";
import { anythingFor, type Change, seenIn } from "../told/index.ts";
import { shownFiles } from "./shown-files.ts";

/**
 * Bytes of an AdmissionReview at most: two objects of the greatest size that a server stores, and what stands around them. Reading more
 * could take the memory of the container.
 */
const MAXIMUM_BODY = 3.25 * 1_048_576;
/** Bytes of all questions together that are being read: the container has little memory. */
const MAXIMUM_READ = 2 * MAXIMUM_BODY;
/** Longer than the API server waits. */
const LONGEST_QUESTION = 20_000;
const LONGEST_HANDSHAKE = 5_000;
/** Longer than the API server keeps a connection that it does not use: one that is closed at this end may lose a question on its way. */
const IDLE_MILLISECONDS = 120_000;
const MOST_CONNECTIONS = 1_000;
const PATH = /^\/validate\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,252})$/;
const LOOK_MILLISECONDS = 10_000;

/**
 * Answers the API server at once, always with yes, and hands over what changed. A write passes without an answer too (failurePolicy is
 * Ignore): where its question cannot be read, anything may have changed.
 */
function webhookListener(take: (change: Change | undefined) => void, log: Log): RequestListener {
  const reading = { bytes: 0 };
  return (request, response) => {
    const end = (status: number, body = ""): void => {
      if (!request.complete) response.setHeader("connection", "close");
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    };
    const manager = PATH.exec((request.url ?? "").split("?")[0] ?? "")?.[1];
    if (manager === undefined) return end(404);
    if (request.method !== "POST") {
      response.setHeader("allow", "POST");
      return end(405);
    }
    bodyOf(request, reading).then(
      (body) => {
        try {
          if (typeof body === "number") {
            log.warn(
              { manager, status: body },
              "a question of the API server is too large, or too much is asked at once",
            );
            take(anythingFor(manager));
            return end(body);
          }
          const seen = seenIn(manager, jsonOf(body));
          if (seen === undefined) {
            log.warn({ manager }, "what was asked is no question of an API server");
            take(anythingFor(manager));
            return end(400);
          }
          take(seen.change);
          end(200, JSON.stringify(seen.answer));
        } catch (thrown) {
          log.warn({ reason: messageOf(thrown) }, "cannot take a question of the API server");
          take(anythingFor(manager));
          end(400);
        }
      },
      (thrown: unknown) => {
        log.warn({ reason: messageOf(thrown) }, "a question of the API server broke off");
        take(anythingFor(manager));
        response.destroy();
      },
    );
  };
}

/** The body as text; a status where it is too long, or too much is being read already. */
function bodyOf(request: IncomingMessage, reading: { bytes: number }): Promise<string | 413 | 503> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const free = (): void => {
      for (const { length } of chunks) reading.bytes -= length;
      chunks = [];
    };
    const refuse = (status: 413 | 503): void => {
      free();
      request.off("data", keep).resume();
      resolve(status);
    };
    const keep = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > MAXIMUM_BODY) refuse(413);
      else if (reading.bytes + chunk.length > MAXIMUM_READ) refuse(503);
      else {
        reading.bytes += chunk.length;
        chunks.push(chunk);
      }
    };
    request.on("error", reject).on("close", free);
    if (Number(request.headers["content-length"] ?? 0) > MAXIMUM_BODY) return refuse(413);
    request.on("data", keep).on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}

/** The webhook's server, not yet listening: TLS 1.3, with the certificate of the files, which are read again as they change. */
export function webhookServer(
  take: (change: Change | undefined) => void,
  { files, clock, log }: Pick<RuntimeWatcherOptions, "files" | "clock" | "log">,
): { readonly server: Server; stopLooking(): void } {
  const context = () => {
    const { certificate: cert, key } = shownFiles(files);
    return { minVersion: "TLSv1.3" as const, cert, key };
  };
  let shown = context();
  const server = createServer(
    {
      ...shown,
      handshakeTimeout: LONGEST_HANDSHAKE,
      headersTimeout: LONGEST_HANDSHAKE,
      requestTimeout: LONGEST_QUESTION,
      keepAliveTimeout: IDLE_MILLISECONDS,
      connectionsCheckingInterval: 1_000,
    },
    webhookListener(take, log),
  );
  server.maxConnections = MOST_CONNECTIONS;
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
