import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { RunningWatcher, RuntimeWatcherOptions } from "../contract.ts";
import { WaitingFolder } from "./folder.ts";
import { sender } from "./sender.ts";
import { Teller } from "./teller.ts";
import { webhookServer } from "./webhook.ts";

/** Starts the program that watches in a runtime. Rejects where its files or its port cannot be had. */
export async function startRuntimeWatcher(options: RuntimeWatcherOptions): Promise<RunningWatcher> {
  const { clock, log, manager, beat } = options;
  const folder = new WaitingFolder(options.folder, log);
  const { send, close } = sender(options);
  const teller = new Teller({ folder, send, manager, beat, clock, log });
  let asked = 0;
  const { server, stopLooking } = webhookServer(
    (change) => {
      asked += 1;
      if (change !== undefined) teller.tell(change);
    },
    { files: options.files, clock, log },
  );
  server.listen(options.port, options.host);
  await once(server, "listening");
  teller.start();
  return {
    port: (server.address() as AddressInfo).port,
    counts: () => ({
      asked,
      delivered: teller.delivered,
      failed: teller.failed,
      waiting: folder.size,
    }),
    async stop() {
      stopLooking();
      server.close();
      server.closeAllConnections();
      await teller.stop();
      close();
    },
  };
}
