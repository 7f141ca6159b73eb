import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { Data } from "../../../../shared/templates/index.ts";
import type { TaskSpec } from "../../kinds/index.ts";
import { pipeArtifactName, pipePodName } from "../decorate/index.ts";
import { pathsIn, pipeTaskFault, podIn } from "../pipes/index.ts";
import { renderText } from "../render/index.ts";
import type { FatalReason, TaskReport } from "../run/index.ts";
import type { TaskRun } from "./task-run.ts";

/** A file of a Pod, and the object that is made of it. */
export interface Artifact {
  /** The object without what it shall hold. */
  readonly object: KubeObject;
  /** The path of the file. */
  readonly path: string;
  /** True: each line KEY=VALUE becomes a key; else the file is one. */
  readonly isEnvFile: boolean;
}

/** A Pipe task in terms of what its template says. */
export interface Pipe {
  readonly pod: KubeObject;
  readonly artifacts: readonly Artifact[];
  /** The uid of the Instance. */
  readonly owner: string;
  /** The uid of the run: what bears another is left from an earlier one. */
  readonly planUid: string;
}

/** A Pipe task, or the report that it can make already. */
export type PreparedPipe =
  | { readonly do: "pipe"; readonly pipe: Pipe }
  | { readonly do: "report"; readonly report: TaskReport };

const fatal = (reason: FatalReason, message: string): PreparedPipe => ({
  do: "report",
  report: { state: "fatal", reason, message },
});

/** Prepares a Pipe task: renders its Pod, and names what is made of its files. */
export function preparePipe(run: TaskRun, spec: TaskSpec, data: Data | string): PreparedPipe {
  const fault = pipeTaskFault(spec) ?? ((spec.pod ?? "") === "" ? "pipe task names no pod" : undefined);
  if (fault !== undefined) return fatal("TaskBuildError", `task ${run.task}: ${fault}`);
  const template = spec.pod ?? "";
  const text = renderText(run.version, template, data);
  if ("fault" in text) return fatal(text.fault.reason, text.fault.message);
  const place = { ...run, instance: run.instance.metadata.name };
  const pod = podIn(template, text.value, pipePodName(place));
  if (typeof pod === "string") return fatal("PipeTaskError", pod);
  const files = spec.pipe ?? [];
  const found = pathsIn(
    pod,
    files.map(({ file, envFile }) => file || envFile || ""),
  );
  if ("fault" in found) return fatal("PipeTaskError", found.fault);
  const artifacts = files.map(({ kind = "", key = "", envFile = "" }, at): Artifact => {
    const metadata = { name: pipeArtifactName(place, key) };
    const type = kind === "Secret" ? { type: "Opaque" } : {};
    return {
      object: { apiVersion: "v1", kind, metadata, ...type },
      path: found.paths[at] ?? "",
      isEnvFile: envFile !== "",
    };
  });
  const { uid: owner } = run.instance.metadata;
  return { do: "pipe", pipe: { pod, artifacts, owner, planUid: run.consumed.planUID } };
}
