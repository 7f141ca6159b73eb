import type { Clock } from "../../../../shared/clock/clock.ts";
import type { Log } from "../../../../shared/log/log.ts";

/** The version of the words between runtimes and control plane. */
export const CONTRACT = "v2";

/** True for a host, with a port or without: with a path it would be told elsewhere than its routes lead. */
export const isAddress = (text: string): boolean => URL.canParse(`https://${text}`) && !/[/?#@\\]/.test(text);

/** The settings of the program that watches in a runtime. */
export interface RuntimeWatcherOptions {
  /** The port of the webhook; 0 is any free one. */
  readonly port: number;
  /** Absent: all addresses. */
  readonly host?: string;
  /** Files of the certificate that the API server is shown and the control plane too, of its key, and of the authorities of the control plane. */
  readonly files: { readonly certificate: string; readonly key: string; readonly authorities: string };
  /** The control plane: a host, and a port where it is not 443. */
  readonly controlPlane: string;
  /** The managers of which one is told that the program is alive. */
  readonly manager: string;
  /** The folder of what is still to be told. */
  readonly folder: string;
  /** Between two signs of life, in milliseconds. */
  readonly beat: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** The numbers that it tells at a scrape. */
export interface RuntimeWatcherCounts {
  /** Questions of the API server. */
  readonly asked: number;
  /** Deliveries that arrived, and those that did not. */
  readonly delivered: number;
  readonly failed: number;
  /** Objects of which the control plane has not heard everything yet. */
  readonly waiting: number;
}

/** The running program. */
export interface RunningWatcher {
  /** The port on which it listens. */
  readonly port: number;
  counts(): RuntimeWatcherCounts;
  /** Ends it; what is still to be told stays in the folder. */
  stop(): Promise<void>;
}
