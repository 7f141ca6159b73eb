import { ReveilleError } from "../errors.ts";

/**
 * The code of a fault of a bus. `BUS_FULL`: nothing can be made durable for want of space. `BUS_NOT_WRITABLE`: the file or its folder
 * cannot be written. `BUS_CORRUPT`: the file is damaged or no database. `BUS_FOREIGN`: it is another program's. `BUS_NEWER`: a newer
 * version wrote it. `BUS_HELD`: it belongs to another process. `BUS_BUSY`: another process held it for too long. `BUS_IO`: the medium failed. `BUS_CLOSED`: it was closed.
 * `BUS_LEASE_LOST`: a run no longer holds its item. `BUS_HOST_DIED`: the process that ran an item died. `BUS_WORK_THREW`: a run ended
 * with an exception that the runner did not catch. `BUS_UNREACHABLE`: its servers do not answer. `BUS_SERVER_TOO_OLD`: they cannot keep
 * the promises. `BUS_MOVED`: the file was removed or replaced while it was in use. `BUS_TOO_LARGE`: one message is larger than the bus
 * takes, in any state. `BUS_MISCONFIGURED`: the resources are not as they must be, or rights are missing. `BUS_NOT_SET_UP`: somebody
 * else has yet to make them.
 */
export type BusErrorCode =
  | "BUS_FULL"
  | "BUS_NOT_WRITABLE"
  | "BUS_CORRUPT"
  | "BUS_FOREIGN"
  | "BUS_NEWER"
  | "BUS_HELD"
  | "BUS_BUSY"
  | "BUS_IO"
  | "BUS_CLOSED"
  | "BUS_HOST_DIED"
  | "BUS_LEASE_LOST"
  | "BUS_WORK_THREW"
  | "BUS_UNREACHABLE"
  | "BUS_TOO_LARGE"
  | "BUS_MOVED"
  | "BUS_SERVER_TOO_OLD"
  | "BUS_MISCONFIGURED"
  | "BUS_NOT_SET_UP";

/** An error of the bus itself. Its message is a sentence that says what to do. */
export class BusError extends ReveilleError {
  declare readonly code: BusErrorCode;
  constructor(code: BusErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}
