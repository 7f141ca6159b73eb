import { later, type Obj, type Time } from "../../../../shared/function/index.ts";
import { fieldsOf, isRecord } from "../../../../shared/json/fields.ts";
import { jsonOf } from "../../../../shared/json/parse.ts";
import { apiVersionOf, type KubeObject } from "../../../../shared/kube/object.ts";
import { ANNOTATIONS, Kyma, LABELS, type Manifest } from "../../kinds/index.ts";
import type { Layer } from "../../ports/components/index.ts";
import type { HandlerQuestion, TrustedHandlers } from "../../ports/trusted-handlers/index.ts";
import { liveAt } from "./found.ts";
import { namedOf, placeOf } from "./named.ts";
import { layerObjects } from "./objects.ts";
import { kymaOf } from "./owner.ts";
import { REFUSED, RETRY } from "./refusal.ts";
import type { Farewell, Handled, Live, Named, OpenFarewell, Report, Waiting } from "./world.ts";

type Self = Obj<typeof Manifest>;

/** The reads that a question for a handler needs. */
export interface HandlerReads {
  readonly handlers: TrustedHandlers;
  /** The Kyma that the module is part of. */
  kyma(): Promise<Obj<typeof Kyma> | undefined>;
  object(at: Named): Promise<Live | undefined>;
}

/** The wish of a handler for a runtime, or why nobody knows it. */
export type Consulted =
  | { readonly handled: Handled; readonly objects: readonly KubeObject[] }
  | { readonly handled: Handled; readonly layer: Exclude<Layer, { readonly state: "read" }> }
  /** It is to be recorded first that it is asked. */
  | { readonly unrecorded: readonly string[] };

/** The time after which a handler that waits is asked again, where it does not say. */
const WAITING = "1m";

/** The trusted handler that a module names; undefined where it names none. */
export const handlerOf = ({ metadata }: Pick<Self, "metadata">): string | undefined =>
  metadata.annotations[ANNOTATIONS.trustedHandler];

/** True for an object that a trusted handler answered. */
export const isAnswered = ({ metadata }: Pick<Live, "metadata">): boolean =>
  metadata.annotations[ANNOTATIONS.trustedHandler] !== undefined;

/** The trusted handlers that may have done something outside for a module: each is told when it goes. */
export const askedOf = ({ metadata }: Pick<Self, "metadata">): readonly string[] =>
  (metadata.annotations[ANNOTATIONS.handledBy] ?? "").split(",").filter((name) => name !== "");

/** Those among them that the module names no longer. */
export const formersOf = (self: Self): readonly string[] =>
  askedOf(self).filter((name) => name !== handlerOf(self));

/** Asks the handler of a module what is to stand in the runtime beside the artifact; undefined where it names none. */
export async function consulted(
  self: Self,
  own: Named | undefined,
  reads: HandlerReads,
): Promise<Consulted | undefined> {
  const handler = handlerOf(self);
  if (handler === undefined) return undefined;
  if (!reads.handlers.knows(handler))
    return {
      handled: { handler, waits: [], waitingFor: undefined, askAgain: undefined },
      layer: {
        state: "faulty",
        message: `the trusted handler ${handler} is not configured: add it to trustedHandlers`,
      },
    };
  if (!askedOf(self).includes(handler)) return { unrecorded: [...askedOf(self), handler] };
  const [kyma, live] = await Promise.all([reads.kyma(), own && liveAt(own, reads)]);
  const answer = await reads.handlers.ask(handler, questionOf(self, "Apply", kyma, live));
  const said = { handler, waits: waitsOf(self, own, live) };
  const silent = { ...said, waitingFor: undefined, askAgain: undefined };
  if (answer.state === "refused")
    return { handled: silent, layer: { state: "faulty", message: answer.message } };
  if (answer.state === "failed") return { handled: silent, layer: answer };
  const faulty = (message: string): Consulted => ({
    handled: silent,
    layer: { state: "faulty", message: `the trusted handler ${handler}: ${message}` },
  });
  const read = layerObjects(answer.objects);
  if ("fault" in read) return faulty(read.fault);
  const secret = read.objects.find(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Secret");
  if (secret !== undefined)
    return faulty(
      `it answered the Secret ${placeOf(namedOf(secret))}: credentials of the control plane go into no runtime`,
    );
  const { waitingFor, askAgain } = answer;
  return {
    handled: { ...said, waitingFor, askAgain },
    objects: read.objects.map((object) => ofHandler(object, handler)),
  };
}

/** The words by which a handler that is still to be told is known to be there no more. */
export const unconfigured = (handler: string): string =>
  `the trusted handler ${handler} is not configured any more`;

/** Tells handlers that nothing of a module stands any more. */
export async function takenLeaveOf(
  self: Self,
  handlers: readonly string[],
  reads: Pick<HandlerReads, "handlers" | "kyma">,
): Promise<readonly Farewell[]> {
  if (handlers.length === 0) return [];
  const question = questionOf(self, "Remove", await reads.kyma(), undefined);
  return Promise.all(
    handlers.map(async (handler): Promise<Farewell> => {
      const open = { handler, isOver: false, askAgain: undefined } as const;
      if (!reads.handlers.knows(handler))
        return {
          ...open,
          message: `${unconfigured(handler)}: add it to trustedHandlers, or take it out of the annotation ${ANNOTATIONS.handledBy} if nothing of it is left outside`,
          retry: REFUSED,
        };
      const answer = await reads.handlers.ask(handler, question);
      if (answer.state === "refused") return { ...open, message: answer.message, retry: REFUSED };
      if (answer.state === "failed")
        return { ...open, message: answer.message, askAgain: answer.notBefore, retry: RETRY };
      const { waitingFor, askAgain } = answer;
      if (waitingFor === undefined) return { handler, isOver: true };
      return { ...open, message: waitingText(handler, waitingFor), askAgain, retry: WAITING };
    }),
  );
}

/** The first handler that is not done yet with a module that it was told has gone. */
export const openOf = (farewells: readonly Farewell[]): OpenFarewell | undefined =>
  farewells.find((one) => !one.isOver);

/** The time at which it is told again. */
export const toldAgain = ({ askAgain, retry }: OpenFarewell, now: Time): Time =>
  askAgain ?? later(now, retry);

/** The report of a module that stands, while handlers of its former versions are told. */
export function withFormers(report: Report, formers: readonly Farewell[], now: Time): Report {
  const open = openOf(formers);
  if (open === undefined) return report;
  return {
    ...report,
    message: `${report.message}; ${open.message}`,
    wakeAt: { ...report.wakeAt, former: toldAgain(open, now) },
  };
}

/** The report of a module whose handler waits for something, or wants to be asked again. */
export function withHandled(report: Report, handled: Handled | undefined, now: Time): Report {
  if (handled === undefined) return report;
  const { handler, waitingFor } = handled;
  const askAgain = handled.askAgain ?? (waitingFor === undefined ? undefined : later(now, WAITING));
  const asked = {
    ...report,
    waits: [...(report.waits ?? []), ...handled.waits],
    ...(askAgain !== undefined && { wakeAt: { ...report.wakeAt, handler: askAgain } }),
  };
  return report.state === "Ready" && waitingFor !== undefined
    ? { ...asked, state: "Processing", message: waitingText(handler, waitingFor) }
    : asked;
}

const waitingText = (handler: string, what: string): string =>
  `the trusted handler ${handler} waits for ${what}`;

function waitsOf(self: Self, own: Named | undefined, live: Live | undefined): readonly Waiting[] {
  const { namespace } = self.metadata;
  const name = kymaOf(self);
  const kyma = { apiVersion: apiVersionOf(Kyma), kind: Kyma.kind, name, namespace };
  const at = live === undefined ? own : namedOf(live);
  return [
    { for: `a change of Kyma ${name}, of which its trusted handler is to know`, of: kyma, isAtHome: true },
    ...(at === undefined
      ? []
      : [{ for: `a change of ${at.kind} ${placeOf(at)}, of which its trusted handler is to know`, of: at }]),
  ];
}

function questionOf(
  self: Self,
  operation: HandlerQuestion["operation"],
  kyma: Obj<typeof Kyma> | undefined,
  live: Live | undefined,
): HandlerQuestion {
  const { metadata, spec } = self;
  const { name, namespace, labels } = metadata;
  return {
    operation,
    kyma: {
      name: kymaOf(self),
      namespace,
      ...(kyma && {
        uid: kyma.metadata.uid,
        labels: kyma.metadata.labels,
        annotations: spoken(kyma.metadata.annotations),
        ...(kyma.spec && { spec: acceptedOf(kyma) ?? kyma.spec }),
      }),
    },
    module: { name: labels[LABELS.moduleName] ?? "", version: spec?.version ?? "", manifest: name },
    object: live === undefined ? null : tellable(live),
  };
}

/** The spec that counts where the user of a runtime speaks there. */
function acceptedOf({ metadata }: Obj<typeof Kyma>): object | undefined {
  const accepted = jsonOf(metadata.annotations[ANNOTATIONS.acceptedSpec] ?? "");
  return isRecord(accepted) ? accepted : undefined;
}

/** An object as a handler is told of it: without what the server keeps for itself. */
function tellable({ metadata, ...fields }: Live): object {
  const { name, namespace, uid, generation, labels, annotations, deletionTimestamp } = metadata;
  return {
    ...fieldsOf(fields),
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      ...(generation !== undefined && { generation }),
      labels,
      annotations: spoken(annotations),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
  };
}

/** Annotations without those that programs keep their own copies in. */
const spoken = (annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !/^(kubectl\.kubernetes\.io|reveille\.dev)\//.test(key)),
  );

const ofHandler = (object: KubeObject, handler: string): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { ...object.metadata.annotations, [ANNOTATIONS.trustedHandler]: handler },
  },
});
