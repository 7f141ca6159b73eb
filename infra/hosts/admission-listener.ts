import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { type FetchHandler, nodeListener } from "../../shared/host/http/index.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Settings } from "../settings/index.ts";
import { type Listening, listen } from "./listen.ts";

/** The time between two looks at the files: shorter than that for which a renewal shows the old authority beside the new one. */
const LOOK_MILLISECONDS = 10_000;

/** The listener for the API server's questions. */
export interface AdmissionListener extends Listening {
  /** The reason why nobody can ask now; undefined where all is well. */
  missing(): string | undefined;
}

/**
 * Answers the API server by TLS. The files of the certificate may be missing at first, and change: both are looked at every ten seconds.
 * Until they are there the handshake fails, which the API server takes for being down. Throws a `ListenRefusedError`.
 */
export async function listenForAdmissions(
  handler: FetchHandler,
  settings: NonNullable<Settings["serve"]["admission"]>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<AdmissionListener> {
  const server: Server = createServer({ connectionsCheckingInterval: 1_000 }, nodeListener(handler));
  let shown = "";
  let missing: string | undefined;
  const look = (): void => {
    try {
      const [cert, key] = [settings.certificate, settings.key].map((file) => readFileSync(file, "utf8"));
      const read = `${cert}${key}`;
      if (read === shown) return;
      server.setSecureContext({ cert, key });
      shown = read;
      missing = undefined;
      log.info({ file: settings.certificate }, "shows its certificate to the API server");
    } catch (thrown) {
      const why = messageOf(thrown);
      // A file that is being replaced comes back; the former certificate is shown meanwhile.
      if (shown === "" && missing !== why)
        log.warn({ reason: why }, "cannot answer the API server yet: its certificate cannot be read");
      if (shown === "") missing = why;
    }
  };
  look();
  let cancel: () => void;
  const again = (): void => {
    look();
    cancel = clock.after(LOOK_MILLISECONDS, again);
  };
  cancel = clock.after(LOOK_MILLISECONDS, again);
  const { address, stop } = await listen(server, settings.listen);
  return {
    address,
    missing: () => missing,
    stop: (milliseconds) => {
      cancel();
      return stop(milliseconds);
    },
  };
}
