import { readFileSync } from "node:fs";
import type { Server } from "node:https";
import type { SecureContextOptions } from "node:tls";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Log } from "../../shared/log/log.ts";
import { shownFault } from "../../shared/tls/index.ts";
import type { ListenAddress } from "../settings/index.ts";
import { type Listening, listen } from "./listen.ts";

/** The time between two looks at the files: shorter than that for which a renewal shows the old authority beside the new one. */
const LOOK_MILLISECONDS = 10_000;

/** The files of a server's certificates. */
export interface ShownFiles {
  readonly cert: string;
  readonly key: string;
  /** The authorities whose certificates prove clients. Absent: none is asked for one. */
  readonly ca?: string | undefined;
}

/** A server that listens with the certificate that files hold. */
export interface ShowingListener extends Listening {
  /** The reason why nobody can connect now; undefined where all is well. */
  missing(): string | undefined;
}

interface Showing {
  readonly clock: Clock;
  readonly log: Log;
  /** The readers of the certificate, for the log. */
  readonly whom: string;
  /** Options of the context that do not change: a new context takes none over from the former. */
  readonly fixed?: SecureContextOptions;
}

/**
 * Listens there, and shows clients what files hold: they may be missing at first, and change. Both are looked at every ten seconds.
 * Throws a `ListenRefusedError`.
 */
export async function listenShowing(
  server: Server,
  at: ListenAddress,
  files: ShownFiles,
  showing: Showing,
): Promise<ShowingListener> {
  const shown = showFiles(server, files, showing);
  const { address, stop } = await listen(server, at);
  return {
    address,
    missing: shown.missing,
    stop: (milliseconds) => {
      shown.stop();
      return stop(milliseconds);
    },
  };
}

function showFiles(
  server: Server,
  files: ShownFiles,
  { clock, log, whom, fixed }: Showing,
): {
  /** The reason why nothing can be shown yet; undefined where all is well. */
  missing(): string | undefined;
  stop(): void;
} {
  let shown = "";
  let failing: string | undefined;
  const look = (): void => {
    try {
      const cert = readFileSync(files.cert, "utf8");
      const key = readFileSync(files.key, "utf8");
      const ca = files.ca === undefined ? undefined : readFileSync(files.ca, "utf8");
      const text = [cert, key, ca].join("");
      if (text !== shown) {
        const fault = shownFault({ certificate: cert, key }, ca);
        if (fault !== undefined) throw new Error(fault);
        server.setSecureContext({ ...fixed, cert, key, ...(ca !== undefined && { ca }) });
      }
      failing = undefined;
      if (text === shown) return;
      shown = text;
      log.info({ file: files.cert }, `shows its certificate to ${whom}`);
    } catch (thrown) {
      const why = messageOf(thrown);
      if (failing !== why)
        log.warn(
          { reason: why },
          shown === ""
            ? `cannot answer ${whom} yet: its certificate cannot be read`
            : `cannot read the certificate for ${whom} anew; the former one is shown`,
        );
      failing = why;
    }
  };
  look();
  let cancel: () => void;
  const again = (): void => {
    look();
    cancel = clock.after(LOOK_MILLISECONDS, again);
  };
  cancel = clock.after(LOOK_MILLISECONDS, again);
  return { missing: () => (shown === "" ? failing : undefined), stop: () => cancel() };
}
