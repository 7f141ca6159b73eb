import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createServer as createSecure } from "node:https";
import {
  configuredAdmissions,
  configuredFunctions,
  configuredHooks,
} from "../../shared/host/configuration.ts";
import { functionConsole } from "../../shared/host/console/index.ts";
import {
  type FetchHandler,
  ingress,
  nodeListener,
  questionIngress,
  secretFile,
} from "../../shared/host/http/index.ts";
import { createServer } from "../../shared/node-http.ts";
import type { Settings } from "../settings/index.ts";
import { triggers } from "../triggers/triggers.ts";
import { type AdmissionListener, listenForAdmissions } from "./admission-listener.ts";
import type { HostContext, HostPart } from "./host.ts";
import { listen } from "./listen.ts";
import { secretFaults, serveSecrets, unprovableCallers } from "./serve-secrets.ts";

/** Takes webhooks, events, commands and invocations over HTTP, for the host's bus. */
export async function servePart(context: HostContext): Promise<HostPart> {
  const { settings, systems, bus, routing, client, others, cluster, clock } = context;
  const { serve, namespaces } = settings;
  const { types } = routing;
  const log = context.log.child({ part: "http" });
  const handler = ingress({
    bus,
    types,
    clock,
    log,
    callers: Object.entries(serve.callers).map(([name, { tokenFile, ...caller }]) => ({
      name,
      ...caller,
      token: tokenFile === undefined ? undefined : secretFile(tokenFile),
    })),
    triggers: triggers.flatMap((trigger) => {
      const file = serve.triggers[trigger.name]?.secretFile;
      return file === undefined ? [] : [{ trigger, secret: secretFile(file) }];
    }),
    console: functionConsole({
      functions: configuredFunctions(systems, settings.configuration),
      client,
      others,
      cluster,
      clock,
      log,
      namespaces,
      types,
      bus,
    }),
    maximumBody: serve.maximumBody,
    replayMilliseconds: serve.replayWindow,
    invokeMilliseconds: serve.invokeTimeout,
  });
  for (const { of, message, unusable } of secretFaults(serve))
    log[unusable ? "error" : "warn"]({ secret: of }, `${of}: ${message}`);
  for (const { of, message } of unprovableCallers(serve)) log.error({ secret: of }, `${of}: ${message}`);
  context.metrics.ofSecrets(() => {
    const broken = new Set(secretFaults(serve).flatMap(({ of, unusable }) => (unusable ? [of] : [])));
    return serveSecrets(serve).map(({ of }) => ({ secret: of, readable: !broken.has(of) }));
  });
  const server = serverOf(handler, serve.tls);
  server.maxConnections = serve.maximumConnections;
  server.requestTimeout = serve.timeout;
  server.headersTimeout = Math.min(serve.timeout, 5_000);
  const { address, stop } = await listen(server, serve.listen);
  const questions = await answerQuestions(context).catch(async (thrown: unknown) => {
    await stop(0);
    throw thrown;
  });
  return {
    facts: {
      serves: `${serve.tls === undefined ? "http" : "https"}://${address}`,
      ...(questions !== undefined && { admissions: `https://${questions.address}` }),
    },
    async stop(milliseconds) {
      await Promise.all([stop(milliseconds), questions?.stop(milliseconds)]);
    },
  };
}

/** Answers the questions of the API server and of other controllers where the settings say at which address, if a system has any. */
async function answerQuestions(context: HostContext): Promise<AdmissionListener | undefined> {
  const { settings, systems, client, clock, readiness } = context;
  const { namespaces } = settings;
  const { admission } = settings.serve;
  const admissions = configuredAdmissions(systems, settings.configuration);
  const hooks = configuredHooks(systems, settings.configuration);
  if (admission === undefined || admissions.length + hooks.length === 0) return undefined;
  const log = context.log.child({ part: "admission" });
  const handler = questionIngress({ admissions, hooks, client, clock, log, namespaces });
  const listener = await listenForAdmissions(handler, admission, { clock, log });
  readiness.check("admission", () => {
    const missing = listener.missing();
    return missing && `nobody can ask admissions and hooks: ${missing}`;
  });
  return listener;
}

function serverOf(handler: FetchHandler, tls: Settings["serve"]["tls"]): Server {
  const listener = nodeListener(handler);
  // Slow requests are looked for more often than the limits are long.
  const often = { connectionsCheckingInterval: 1_000 };
  if (tls === undefined) return createServer(often, listener);
  const { certificate, key, clientAuthority } = tls;
  return createSecure(
    {
      ...often,
      cert: readFileSync(certificate),
      key: readFileSync(key),
      ...(clientAuthority !== undefined && {
        ca: readFileSync(clientAuthority),
        requestCert: true,
        // Whoever has none may have a token: what a path asks for is decided there.
        rejectUnauthorized: false,
      }),
    },
    listener,
  );
}
