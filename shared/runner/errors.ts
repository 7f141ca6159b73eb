import { messageOf, ReveilleError } from "../errors.ts";
import type { EffectError } from "../function/effects.ts";
import { DeclarationError } from "../function/system.ts";
import { TerminalError } from "../function/terminal-error.ts";
import type { Wait } from "../function/wait.ts";
import { ClusterAwayError } from "../kube/client/cluster-away.ts";
import { ClusterNameError, type ClusterReference, connectionObject } from "../kube/cluster-names.ts";
import { KubeError } from "../kube/errors.ts";
import type { OwnerReference } from "../kube/object.ts";
import { UnreadableObjectError } from "../kube/read.ts";

/** The object that shall be written is another's. Whatever happens to that object may change it. */
export class NameTakenError extends ReveilleError {
  readonly object: NonNullable<Wait["object"]>;
  constructor(code: string, message: string, object: NonNullable<Wait["object"]>) {
    super(code, message);
    this.object = object;
  }
}

/** A child is still that of an owner that was deleted and made again, and something keeps it from going. */
export class FormerOwnerError extends NameTakenError {
  constructor(child: string, { kind, name, uid }: OwnerReference, object: NonNullable<Wait["object"]>) {
    super(
      "OWNED_BY_FORMER",
      `${child} belongs to the ${kind} ${name} that was deleted before (uid ${uid}): it is made anew once it is gone. Where it stays, see which finalizers hold it, or delete it.`,
      object,
    );
  }
}

/** A run noticed that another host holds its item: it does nothing more. */
export class LeaseLostError extends ReveilleError {
  constructor() {
    super("LEASE_LOST", "The item's lease was lost; another host runs it.");
  }
}

/** A run took longer than any may: it is cut off, so that it holds neither its key nor a place in its host for ever. */
export class RunTooLongError extends ReveilleError {
  constructor(name: string, milliseconds: number) {
    super(
      "RUN_TOO_LONG",
      `${name} did not end within ${milliseconds / 1000} s and was cut off: what it awaits never came. Let it end, and wait by waitingFor or wakeAt instead.`,
    );
  }
}

/** A run that read more than one run may hold: it ends before its process does, and takes no other key along. */
export class ReadTooLargeError extends ReveilleError {
  constructor(name: string, kind: string, mostBytes: number) {
    super(
      "READ_TOO_LARGE",
      `What ${name} reads takes more memory than one run may hold (${Math.round(mostBytes / 1024 / 1024)} MiB, a quarter of the process's), most of it objects of ${kind}: make these fewer or smaller, or give the process more memory.`,
    );
  }
}

/** The cluster's CRD of a kind of ours lacks fields that were to be written: whoever installed it has to renew it. */
export class CrdLacksFieldsError extends ReveilleError {
  /** The name of the CRD. */
  readonly crd: string;
  constructor(crd: string, fields: readonly string[], cause: unknown) {
    super(
      "CRD_LACKS_FIELDS",
      `The CRD ${crd} in this cluster does not declare ${fields.join(", ")}: apply what \`reveille crds\` prints. Until then nothing is stored that needs them.`,
      { cause },
    );
    this.crd = crd;
  }
}

/** The error of a write that the cluster's CRD lacks fields for, where that is what a run met. */
export function lackingCrdOf(thrown: unknown): CrdLacksFieldsError | undefined {
  const met = thrown instanceof EffectFailedError ? thrown.cause : thrown;
  return met instanceof CrdLacksFieldsError ? met : undefined;
}

/** The error of one of other clusters that is away, where that is what a run met. */
export function clusterAwayIn(thrown: unknown): ClusterAwayError | undefined {
  const met = thrown instanceof EffectFailedError ? thrown.cause : thrown;
  return met instanceof ClusterAwayError ? met : undefined;
}

/** The wait for the connection to a cluster that a run met away. */
export const connectionWaitOf = ({ message, reference, state }: ClusterAwayError): Wait => ({
  for: message,
  object: connectionObject(reference, state),
});

/** A read that is no longer true: read again, decide again. */
export class StaleError extends ReveilleError {
  constructor(message: string, cause?: unknown) {
    super("STALE_READ", message, { cause });
  }
}

/** An effect failed and nobody concluded otherwise: the run fails with what came of that effect, whole. */
export class EffectFailedError extends ReveilleError {
  readonly effect: EffectError;
  readonly retryAfterMilliseconds: number | undefined;
  constructor(effect: EffectError) {
    const cause = thrownFor.get(effect);
    // Logs and dead letters tell the request too, which a status does not.
    super(effect.code, cause instanceof KubeError ? cause.message : effect.message, { cause });
    this.effect = effect;
    this.retryAfterMilliseconds = effect.retryAfterMilliseconds;
  }
}

/** The error that was thrown where an effect failed. */
const thrownFor = new WeakMap<EffectError, unknown>();

/** The error of a result or a status, from what was thrown: a sentence about the object, without the request. */
export function effectErrorOf(thrown: unknown): EffectError {
  if (thrown instanceof EffectFailedError) return thrown.effect;
  const error = readableOf(thrown);
  thrownFor.set(error, thrown);
  return error;
}

/** The code and message of an error for operators, in logs, the history and dead letters. */
export const toldInLogs = (thrown: unknown): { readonly code: string; readonly message: string } => {
  const { code, message } = effectErrorOf(thrown);
  const whole = thrown instanceof KubeError || thrown instanceof EffectFailedError;
  return { code, message: whole ? thrown.message : message };
};

/** The pause that whoever refused asked for, in milliseconds; undefined where it asked for none. */
export const retryAfterOf = (thrown: unknown): number | undefined =>
  thrown instanceof Error &&
  "retryAfterMilliseconds" in thrown &&
  typeof thrown.retryAfterMilliseconds === "number"
    ? thrown.retryAfterMilliseconds
    : undefined;

function readableOf(thrown: unknown): EffectError {
  if (thrown instanceof KubeError)
    return {
      code: thrown.code,
      message: thrown.sentence,
      retryable: thrown.retryable || isStale(thrown),
      ...(thrown.status !== undefined && { status: thrown.status.code }),
      ...(thrown.retryAfterMilliseconds !== undefined && {
        retryAfterMilliseconds: thrown.retryAfterMilliseconds,
      }),
    };
  if (thrown instanceof NameTakenError)
    return {
      code: thrown.code,
      message: thrown.message,
      retryable: thrown instanceof FormerOwnerError,
      object: thrown.object,
    };
  if (thrown instanceof ClusterAwayError)
    return {
      code: thrown.code,
      message: thrown.message,
      retryable: true,
      object: connectionObject(thrown.reference, thrown.state),
    };
  if (thrown instanceof UnreadableObjectError)
    return { code: thrown.code, message: thrown.message, retryable: false, object: thrown.object };
  if (thrown instanceof ReveilleError)
    return { code: thrown.code, message: thrown.message, retryable: !isTerminal(thrown) };
  return { code: "UNEXPECTED", message: `${messageOf(thrown)}${placeOf(thrown)}`, retryable: true };
}

/** ` (index.ts:12)`: where code threw that did not mean to. Only the file's name: it may stand in a status. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  const place = /file:\/\/[^\s?:)]*\/([^\s/?:)]+)(?:\?[^\s:)]*)?:(\d+)/.exec(thrown.stack ?? "");
  return place === null ? "" : ` (${place[1]}:${place[2]})`;
}

/** True for an error that a further attempt cannot change; a bus or a credential that fails now may be there again. */
const isTerminal = (thrown: ReveilleError): boolean =>
  thrown instanceof TerminalError || thrown instanceof DeclarationError || thrown instanceof ClusterNameError;

/**
 * True where the error says that a read was overtaken, so that the pass is done again at once.
 *
 * @param foundThere the other clusters that the pass found there: whoever asks for one that it then meets away is to show that
 */
export function isStale(thrown: unknown, foundThere?: ReadonlySet<ClusterReference>): boolean {
  const met = clusterAwayIn(thrown);
  if (met !== undefined) return foundThere?.has(met.reference) === true;
  return (
    thrown instanceof StaleError ||
    (thrown instanceof KubeError && (thrown.kind === "stale" || thrown.kind === "gone"))
  );
}
