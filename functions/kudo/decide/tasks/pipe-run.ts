import { type Effect, type Obj, own, remove, type Sealed } from "../../../../shared/function/index.ts";
import { Templated } from "../../kinds/index.ts";
import { decorated } from "../decorate/index.ts";
import { verdictOn } from "../health/index.ts";
import { baseName, readEnvFile, withWaiter } from "../pipes/index.ts";
import type { TaskReport } from "../run/index.ts";
import type { SeenTask } from "./look.ts";
import {
  bodyOf,
  DONE,
  FORCE,
  failure,
  idle,
  nameOf,
  type RunningTask,
  type TaskContext,
  together,
  unserved,
  type Written,
  waitOn,
} from "./parts.ts";
import { disruptionOf, endOf, isMade, isOfRun } from "./pipe-look.ts";
import type { Artifact, Pipe } from "./pipe-prepare.ts";
import type { SeenObject } from "./seen.ts";

type Live = Obj<typeof Templated>;

const fatal = (message: string): TaskReport => ({ state: "fatal", reason: "PipeTaskError", message });

/**
 * Decides what a Pipe task does in this pass: its Pod is made, its files are copied once it is ready, and then it is deleted. What this
 * run made already is not made again, whoever dies in between.
 */
export function pipeTask(pipe: Pipe, seen: SeenTask, context: TaskContext): RunningTask {
  const [pod, ...artifacts] = seen.objects;
  if (pod === undefined) return idle(DONE);
  const strange = seen.objects.find(({ scope }) => scope === undefined);
  if (strange !== undefined) return idle(unserved(strange, context.origin.namespace));
  const { live } = pod;
  if (isMade(pipe, artifacts)) return withoutPod(pod, live, pipe);
  if (live === undefined) return creation(pod, context);
  if (live.metadata.deletionTimestamp !== undefined) return idle(going(pod, context.origin.namespace));
  if (!isOfRun(pipe, live)) return isOurs(pipe, live) ? deletion(pod, live) : creation(pod, context);
  const disruption = disruptionOf(live);
  if (disruption !== undefined) return deletion(pod, live, anew(pod, live, disruption));
  const end = endOf(live);
  if (end !== undefined) {
    const { message } = verdict(live);
    return deletion(pod, live, fatal(`${message}: it ended (${end}) before its files were read`));
  }
  const { contents } = seen;
  if (contents === undefined) {
    const wait = waitOn(pod, context.origin.namespace, "to be ready");
    return idle({ state: "waiting", message: verdict(live).message, waits: [wait] });
  }
  if ("files" in contents) return copies(pipe, contents.files, { pod, live }, context);
  // What cannot be read is not left to whoever can.
  return contents.report.state === "fatal" ? deletion(pod, live, contents.report) : idle(contents.report);
}

const isOurs = ({ owner }: Pipe, { metadata }: Live): boolean =>
  metadata.ownerReferences.some(({ uid }) => uid === owner);

function verdict(live: Live): { readonly message: string } {
  const found = verdictOn(live);
  return found.state === "healthy" ? { message: `${nameOf(live)}: is not ready` } : found;
}

const going = (pod: SeenObject, namespace: string): TaskReport => ({
  state: "waiting",
  message: `${nameOf(pod.object)}: is being deleted`,
  waits: [waitOn(pod, namespace, "to be gone")],
});

/** Nobody but its node ended it: it is made anew once it is gone, as often as that happens. */
const anew = (pod: SeenObject, live: Live, reason: string): TaskReport => ({
  state: "waiting",
  message: `${nameOf(pod.object)}: was ended by its node (${reason}), and is made anew`,
  waits: [waitOn(pod, live.metadata.namespace ?? "", "to be gone")],
});

function creation(pod: SeenObject, { self, origin, waiterImage }: TaskContext): RunningTask {
  const body = bodyOf(decorated(withWaiter(pod.object, waiterImage), "Namespaced", origin, undefined));
  const effect: Effect<Written, Live> = own(self, Templated, body, FORCE);
  const waiting: TaskReport = {
    state: "waiting",
    message: `${nameOf(pod.object)}: is not ready`,
    waits: [waitOn(pod, origin.namespace, "to be ready")],
  };
  return { effects: effect, report: (results) => failure(results(effect), nameOf(pod.object)) ?? waiting };
}

/** The Pod goes; then the report is that it is going, unless there is a worse one. */
function deletion(pod: SeenObject, live: Live, report?: TaskReport): RunningTask {
  const effect = remove(Templated, live);
  const after = report ?? going(pod, live.metadata.namespace ?? "");
  return { effects: effect, report: (results) => failure(results(effect), nameOf(live)) ?? after };
}

/** Everything was made: the task is done once its Pod is gone. */
function withoutPod(pod: SeenObject, live: Live | undefined, pipe: Pipe): RunningTask {
  if (live === undefined || !isOurs(pipe, live)) return idle(DONE);
  return live.metadata.deletionTimestamp === undefined
    ? deletion(pod, live)
    : idle(going(pod, live.metadata.namespace ?? ""));
}

function copies(
  pipe: Pipe,
  files: readonly Sealed[],
  { pod, live }: { readonly pod: SeenObject; readonly live: Live },
  context: TaskContext,
): RunningTask {
  const parts: RunningTask[] = [];
  for (const [at, content] of files.entries()) {
    const artifact = pipe.artifacts[at];
    if (artifact === undefined) continue;
    const keys = keysOf(artifact, content);
    if (typeof keys === "string")
      return deletion(pod, live, fatal(`env file ${artifact.path} of ${nameOf(live)}: ${keys}`));
    parts.push(copy(artifact, keys, context));
  }
  // The Pod stays until the last of them was written: only it can give them a second time.
  return together([...parts, deletion(pod, live)]);
}

/** The keys that a file becomes, still sealed; in words why it is no env file. */
function keysOf({ isEnvFile, path }: Artifact, content: Sealed): Readonly<Record<string, Sealed>> | string {
  if (!isEnvFile) return { [baseName(path)]: content };
  let fault: string | undefined;
  const keys = content.split((bytes) => {
    const read = readEnvFile(bytes);
    if ("variables" in read) return read.variables;
    fault = read.fault;
    return [];
  });
  return fault ?? Object.fromEntries(keys);
}

function copy(
  { object, isEnvFile }: Artifact,
  keys: Readonly<Record<string, Sealed>>,
  { self, origin }: TaskContext,
): RunningTask {
  // A container takes variables from a ConfigMap's texts alone.
  const field = object.kind === "Secret" || isEnvFile ? "data" : "binaryData";
  const body = bodyOf(decorated({ ...object, [field]: keys }, "Namespaced", origin, undefined));
  const effect: Effect<Written, Live> = own(self, Templated, body, FORCE);
  return { effects: effect, report: (results) => failure(results(effect), nameOf(object)) ?? DONE };
}
