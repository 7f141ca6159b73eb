import type { IncomingMessage } from "node:http";
import { fieldOf, isRecord } from "../../json/fields.ts";
import type { WatchEnd, WatchEvent, WatchOptions } from "../client.ts";
import { collect } from "./body.ts";
import type { Credential } from "./connection.ts";
import { LineSplitter, LineTooLongError } from "./lines.ts";
import type { Transport } from "./transport.ts";
import { type Answer, TransportError, type WireRequest } from "./wire.ts";

/** No object is larger than etcd's 1.5 MB, managedFields and the old state included. */
const longestLine = 32 * 1024 * 1024;

/** A line of the stream is no event in JSON. */
class BrokenLineError extends Error {
  constructor(cause?: unknown) {
    super("A line of the watch is no event in JSON", { cause });
    this.name = "BrokenLineError";
  }
}

function eventIn(line: string): WatchEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (error) {
    throw new BrokenLineError(error);
  }
  const isEvent = typeof fieldOf(event, "type") === "string" && isRecord(fieldOf(event, "object"));
  if (!isEvent) throw new BrokenLineError();
  return event as WatchEvent;
}

/** The result of opening a watch: the stream and its end, or the server's refusal. */
export type WatchOutcome = { readonly end: WatchEnd } | { readonly refused: Answer };

/**
 * Opens one watch and reads it to its end. The read side is never paused: the server cuts off who reads slowly.
 * Rejects with a `TransportError` where no answer came, and with what `onEvent` threw.
 */
export function streamWatch(
  transport: Transport,
  wire: WireRequest,
  credential: Credential,
  options: Pick<WatchOptions, "signal" | "silenceMilliseconds" | "onEvent" | "onLine" | "onOpen">,
  openMilliseconds: number,
): Promise<WatchOutcome> {
  const { signal } = options;
  if (signal?.aborted) return Promise.resolve({ end: { reason: "aborted" } });
  return new Promise((resolve, reject) => {
    const request = transport.open(wire, credential, "watch");
    let opened = false;
    let settled = false;
    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      openQuiet.stop();
      quiet?.stop();
      signal?.removeEventListener("abort", abort);
      act();
      // What still comes from the socket concerns nobody: the outcome is decided.
      request.destroy();
    };
    const end = (reason: WatchEnd["reason"], error?: Error): void =>
      settle(() => resolve({ end: error === undefined ? { reason } : { reason, error } }));
    const abort = (): void => end("aborted");
    const quiet =
      options.silenceMilliseconds === undefined
        ? undefined
        : transport.watchSilence(options.silenceMilliseconds, () => end("silent"));
    const openQuiet = transport.watchSilence(openMilliseconds, () => {
      if (!opened)
        settle(() => reject(new TransportError("timeout", `No answer for ${openMilliseconds / 1000} s`)));
    });
    signal?.addEventListener("abort", abort, { once: true });

    request.on("error", (error) => {
      if (opened) end("broken", error);
      else settle(() => reject(new TransportError("broken", error.message, { cause: error })));
    });
    request.on("response", (response) => {
      opened = true;
      openQuiet.stop();
      if (response.statusCode !== 200) {
        collect(response, longestLine).then(
          (text) =>
            settle(() =>
              resolve({ refused: { status: response.statusCode ?? 0, headers: response.headers, text } }),
            ),
          (error) => settle(() => reject(error)),
        );
        return;
      }
      try {
        options.onOpen?.();
      } catch (error) {
        return settle(() => reject(error));
      }
      read(response);
    });

    const read = (response: IncomingMessage): void => {
      const tell = (line: string): void => {
        options.onEvent(eventIn(line));
      };
      const lines = new LineSplitter(longestLine, (line) => {
        // The callback of a line before may have aborted the watch.
        if (!settled && options.onLine?.(line, () => tell(line)) !== true) tell(line);
      });
      response.on("data", (chunk: Buffer) => {
        if (settled) return;
        quiet?.touch();
        try {
          lines.push(chunk);
        } catch (error) {
          if (error instanceof BrokenLineError || error instanceof LineTooLongError) end("broken", error);
          else settle(() => reject(error));
        }
      });
      response.on("error", (error) => end("broken", error));
      response.on("end", () => {
        if (lines.incomplete) end("broken", new Error("The watch ended in the middle of a line"));
        else end("closed");
      });
    };
  });
}
