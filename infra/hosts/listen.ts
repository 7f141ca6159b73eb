import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf, ReveilleError } from "../../shared/errors.ts";
import type { ListenAddress } from "../settings/index.ts";

/** A server that listens. */
export interface Listening {
  /** `127.0.0.1:8081`. */
  readonly address: string;
  /** Takes nothing more; what is being answered may take so long. */
  stop(milliseconds: number): Promise<void>;
}

/** A port cannot be listened on. */
class ListenRefusedError extends ReveilleError {
  constructor(address: ListenAddress, cause: unknown) {
    super(
      "HOST_LISTEN_REFUSED",
      `${address.host}:${address.port} cannot be listened on (${messageOf(cause)}): choose another address, or end what listens there.`,
      { cause },
    );
  }
}

/** Listens there. Throws a `ListenRefusedError`. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(new ListenRefusedError({ host, port }, cause)));
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    address: `${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`,
    stop: (milliseconds) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
