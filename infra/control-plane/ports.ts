import { once } from "node:events";
import { createServer } from "node:net";
import { ControlPlaneError } from "./errors.ts";

export const HOST = "127.0.0.1";

/** A free port on loopback: `wanted` itself, refused with `CONTROL_PLANE_PORT_TAKEN` where another program listens on it, or any (0). */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted, HOST);
    await once(server, "listening");
  } catch (cause) {
    throw new ControlPlaneError(
      "PORT_TAKEN",
      `Port ${wanted} on ${HOST} cannot be used (${codeOf(cause)}): choose another one or end the program that holds it.`,
      { cause },
    );
  }
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === "string")
    throw new TypeError("a TCP server without a TCP address");
  return address.port;
}

/** `preferred` if it is free, else any free port. */
export async function preferredPort(preferred: number | undefined): Promise<number> {
  if (preferred === undefined) return freePort();
  return freePort(preferred).catch((error: unknown) => {
    if (error instanceof ControlPlaneError) return freePort();
    throw error;
  });
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
