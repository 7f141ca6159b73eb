import { createServer } from "node:https";
import type { Clock } from "../../../shared/clock/clock.ts";
import type { System } from "../../../shared/function/system.ts";
import { configuredAdmissions, configuredHooks } from "../../../shared/host/configuration.ts";
import { type FetchHandler, nodeListener, questionIngress } from "../../../shared/host/http/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import type { Log } from "../../../shared/log/log.ts";
import { createAuthority } from "../../../shared/tls/index.ts";
import { listen } from "../../hosts/listen.ts";
import { extensionConfig, registerExtensions, unregisterExtensions } from "../../systems/extension-config.ts";
import { register, unregister, webhookConfigurations } from "../../systems/webhooks.ts";

const HOST = "127.0.0.1";

export interface DevAdmissionsOptions {
  /** Reads for the decisions, and registers. */
  readonly client: KubeClient;
  readonly systems: readonly System[];
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The questions of the API server and of other controllers, answered in this process. */
export interface DevAdmissions {
  /** Answers for these systems from now on. */
  use(systems: readonly System[]): Promise<void>;
  /** Nobody asks any more. */
  stop(): Promise<void>;
}

/**
 * Answers an API server on this machine by https on loopback, and registers there. What a killed process left registered is taken away.
 * Throws a `KubeError` where it cannot be registered.
 */
export async function answerHere(options: DevAdmissionsOptions): Promise<DevAdmissions> {
  const { client, configuration, namespaces, clock, log } = options;
  let handler: FetchHandler = async () => new Response(null, { status: 404 });
  let server: Awaited<ReturnType<typeof listen>> | undefined;
  const authority = createAuthority();
  const open = async (): Promise<{ readonly address: string }> => {
    const { certificate: cert, key } = authority.issue({ commonName: "reveille", serverNames: [HOST] });
    const made = createServer(
      { cert, key },
      nodeListener((request) => handler(request)),
    );
    server = await listen(made, { host: HOST, port: 0 });
    return server;
  };
  const away = async (): Promise<void> => {
    await unregister(client);
    await unregisterExtensions(client);
  };
  const use = async (systems: readonly System[]): Promise<void> => {
    const admissions = configuredAdmissions(systems, configuration);
    const hooks = configuredHooks(systems, configuration);
    handler = questionIngress({ admissions, hooks, client, clock, log, namespaces });
    if (admissions.length + hooks.length === 0) {
      await away();
      return;
    }
    const { address } = server ?? (await open());
    const at = { url: `https://${address}` };
    const registration = { at, authorities: authority.certificate, namespaces };
    const wanted = webhookConfigurations(systems, registration);
    await unregister(client, wanted);
    await register(client, wanted);
    if (extensionConfig(systems, registration) === undefined) await unregisterExtensions(client);
    else if ((await registerExtensions(client, systems, registration)) === "absent")
      log.info(
        {},
        "the hooks are not registered: there is no kind ExtensionConfig, which Cluster API brings",
      );
    if (hooks.length > 0)
      log.info({ at: at.url, hooks: hooks.map(({ hook }) => hook.path) }, "answers hooks");
  };
  const stop = async (): Promise<void> => {
    // Else every write would be refused for want of an answer.
    await away().finally(() => server?.stop(0));
  };
  try {
    await use(options.systems);
  } catch (thrown) {
    await server?.stop(0);
    throw thrown;
  }
  return { use, stop };
}
