import { randomUUID } from "node:crypto";
import type { Clock } from "../../shared/clock/clock.ts";
import { BeatKeeper } from "../../shared/host/beats/index.ts";
import {
  configuredAdmissions,
  configuredFunctions,
  configuredHooks,
} from "../../shared/host/configuration.ts";
import { functionConsole } from "../../shared/host/console/index.ts";
import {
  type BeatEar,
  certifiedIngress,
  ingress,
  type Proof,
  provenByConnection,
  provenByGateway,
  questionIngress,
  secretFile,
} from "../../shared/host/http/index.ts";
import type { Settings } from "../settings/index.ts";
import { triggers } from "../triggers/triggers.ts";
import { listenForAdmissions } from "./admission-listener.ts";
import { listenForCertified } from "./certified-listener.ts";
import type { HostContext, HostPart } from "./host.ts";
import type { Listening } from "./listen.ts";
import { listenForRequests } from "./request-listener.ts";
import { secretFaults, serveSecrets, unprovableCallers } from "./serve-secrets.ts";
import type { ShowingListener } from "./shown-files.ts";

/** Takes webhooks, events, commands and invocations over HTTP, for the host's bus. */
export async function servePart(context: HostContext): Promise<HostPart> {
  const { settings, systems, bus, routing, client, others, cluster, clock } = context;
  const { serve, namespaces } = settings;
  const { types } = routing;
  const log = context.log.child({ part: "http" });
  const certified = systems.flatMap(({ triggers }) => triggers);
  const ear = await hearBeats(context);
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
    ...(serve.certified?.forwarded === true && {
      certified: { triggers: certified, prove: gatewayProof(serve.certified, clock), ear },
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
  const requests = await listenForRequests(handler, serve, { clock, log });
  context.readiness.check("serve", () => {
    const missing = requests.missing();
    return missing && `nobody can call: ${missing}`;
  });
  const listeners: Listening[] = [requests];
  try {
    const questions = await answerQuestions(context);
    if (questions !== undefined) listeners.push(questions);
    const told = await takeCertified(context, ear);
    if (told !== undefined) listeners.push(told);
    return {
      facts: {
        serves: `${serve.tls === undefined ? "http" : "https"}://${requests.address}`,
        ...(questions !== undefined && { admissions: `https://${questions.address}` }),
        ...(told !== undefined && { certified: `https://${told.address}` }),
      },
      async stop(milliseconds) {
        await Promise.all(listeners.map((one) => one.stop(milliseconds)));
        await ear?.stop();
      },
    };
  } catch (thrown) {
    await Promise.all(listeners.map((one) => one.stop(0)));
    await ear?.stop();
    throw thrown;
  }
}

/** Answers the questions of the API server and of other controllers where the settings say at which address, if a system has any. */
async function answerQuestions(context: HostContext): Promise<ShowingListener | undefined> {
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

/** Hears beats where something that certificates prove is taken, if the senders of a system beat. */
async function hearBeats(context: HostContext): Promise<BeatKeeper | undefined> {
  const { settings, systems, client, bus, clock } = context;
  const triggers = systems
    .flatMap(({ triggers }) => triggers)
    .flatMap((one) => (one.beats === undefined ? [] : [one]));
  if (settings.serve.certified === undefined || triggers.length === 0) return undefined;
  const keeper = new BeatKeeper({
    client,
    bus,
    triggers,
    namespace: settings.home.namespace,
    host: randomUUID(),
    clock,
    log: context.log.child({ part: "beats" }),
  });
  await keeper.start();
  context.metrics.ofBeats(() => keeper.counts());
  return keeper;
}

/** Takes what certificates prove where the settings say at which address, if a system has such triggers. */
async function takeCertified(
  { bus, clock, readiness, settings: { serve }, systems, ...context }: HostContext,
  ear: BeatEar | undefined,
): Promise<Listening | undefined> {
  const { certified } = serve;
  const triggers = systems.flatMap((one) => one.triggers);
  if (certified?.tls === undefined || triggers.length === 0) return undefined;
  const log = context.log.child({ part: "certified" });
  const handler = certifiedIngress({ triggers, bus, clock, log, prove: provenByConnection, ear });
  const { authorities, tls } = certified;
  const listener = await listenForCertified(handler, { ...tls, authorities }, { clock, log, limits: serve });
  readiness.check("certified", () => {
    const missing = listener.missing();
    return missing && `nobody can prove themselves by a certificate: ${missing}`;
  });
  return listener;
}

const gatewayProof = (
  { authorities, gateway }: NonNullable<Settings["serve"]["certified"]>,
  clock: Clock,
): Proof => provenByGateway({ authorities: secretFile(authorities), gateway, clock });
