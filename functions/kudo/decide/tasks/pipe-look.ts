import type { Obj, Reader, Sealed } from "../../../../shared/function/index.ts";
import { fieldOf, listOf, textOf } from "../../../../shared/json/fields.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import type { Templated } from "../../kinds/index.ts";
import { PLAN_UID_ANNOTATION } from "../decorate/index.ts";
import { WAITER } from "../pipes/index.ts";
import type { TaskReport } from "../run/index.ts";
import type { Pipe } from "./pipe-prepare.ts";
import type { SeenObject } from "./seen.ts";

/** The reads that a Pipe task needs beside those of its objects. */
export type PipeReads = Pick<Reader<"templated">, "exec">;

/** The contents of the files of a Pod, in order; or why they were not read. */
export type Contents = { readonly files: readonly Sealed[] } | { readonly report: TaskReport };

/** The most that a Secret or ConfigMap holds. */
const MOST_BYTES = 1024 * 1024;

type Live = Obj<typeof Templated>;

/** True for an object of the Instance that this run made. */
export const isOfRun = ({ owner, planUid }: Pipe, { metadata }: Live): boolean =>
  metadata.annotations[PLAN_UID_ANNOTATION] === planUid &&
  metadata.ownerReferences.some(({ uid }) => uid === owner);

/** True where everything was made: nothing is made a second time. */
export const isMade = (pipe: Pipe, artifacts: readonly SeenObject[]): boolean =>
  artifacts.every(({ live }) => live !== undefined && isOfRun(pipe, live));

/** The phase of a Pod whose containers have ended, so that nobody can read its files any more. */
export function endOf({ status }: Live): string | undefined {
  const phase = textOf(fieldOf(status, "phase"));
  return phase === "Succeeded" || phase === "Failed" ? phase : undefined;
}

/** The words of the kubelet for a Pod that it ended, whatever its containers did. */
const DISRUPTED: ReadonlySet<string> = new Set([
  "Evicted",
  "NodeLost",
  "NodeShutdown",
  "Preempting",
  "Shutdown",
  "Terminated",
]);

/** The reason for which a Pod ended through no fault of its containers: its node went, or had no room for it; undefined where that is not so. */
export function disruptionOf({ status }: Live): string | undefined {
  const [phase, reason] = [textOf(fieldOf(status, "phase")), textOf(fieldOf(status, "reason"))];
  if (phase === "Unknown") return reason === "" ? phase : reason;
  if (phase !== "Failed") return undefined;
  if (DISRUPTED.has(reason)) return reason;
  const target = listOf(fieldOf(status, "conditions")).find(
    (one) => fieldOf(one, "type") === "DisruptionTarget" && fieldOf(one, "status") === "True",
  );
  return target === undefined ? undefined : textOf(fieldOf(target, "reason")) || "DisruptionTarget";
}

const isReady = ({ status, metadata }: Live): boolean =>
  metadata.deletionTimestamp === undefined &&
  listOf(fieldOf(status, "conditions")).some(
    (one) => fieldOf(one, "type") === "Ready" && fieldOf(one, "status") === "True",
  );

/** Reads the files of a Pipe task's Pod; undefined where they need not, or cannot yet, be read. */
export async function readPipe(
  pipe: Pipe,
  [pod, ...artifacts]: readonly SeenObject[],
  reads: PipeReads,
): Promise<Contents | undefined> {
  const live = pod?.live;
  if (live === undefined || isMade(pipe, artifacts) || !isOfRun(pipe, live) || !isReady(live))
    return undefined;
  const files: Sealed[] = [];
  for (const { path } of pipe.artifacts) {
    const content = await readFile(live, path, reads);
    if ("state" in content) return { report: content };
    files.push(content);
  }
  return { files };
}

async function readFile(pod: Live, path: string, { exec }: PipeReads): Promise<Sealed | TaskReport> {
  const what = `file ${path} of pod ${pod.metadata.name}`;
  try {
    const { exitCode, stdout } = await exec(pod, WAITER, ["cat", path], { maximumBytes: MOST_BYTES });
    return exitCode === 0 ? stdout : fatal(`${what} cannot be read: cat ended with exit code ${exitCode}`);
  } catch (error) {
    if (!(error instanceof KubeError) || error.kind === "aborted") throw error;
    if (error.code === "KUBE_OUTPUT_TOO_LARGE")
      return fatal(`${what} is larger than ${MOST_BYTES} bytes, the most that a Secret or ConfigMap holds`);
    if (error.kind === "forbidden")
      return fatal(`${what} cannot be read without the right pods/exec create: ${error.sentence}`);
    // The connection was dropped, or the container is not there yet.
    return { state: "failed", message: `${what} was not read: ${error.sentence}` };
  }
}

const fatal = (message: string): TaskReport => ({ state: "fatal", reason: "PipeTaskError", message });
