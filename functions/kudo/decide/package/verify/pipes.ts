import { quoted } from "../../definition/index.ts";
import { pathsIn, pipeTaskFault, podIn } from "../../pipes/index.ts";
import type { PackageFiles } from "../files.ts";

/** The faults of a rendered template as the Pod of the Pipe tasks that name it. */
export const podFaults = (
  template: string,
  text: string,
  { tasks }: PackageFiles["operator"],
): readonly string[] =>
  tasks
    .filter(
      ({ kind, spec }) => kind === "Pipe" && spec?.pod === template && pipeTaskFault(spec) === undefined,
    )
    .flatMap(({ name = "", spec }) => {
      const pod = podIn(template, text, name);
      if (typeof pod === "string") return [`pipe task ${quoted(name)}: ${pod}`];
      const found = pathsIn(
        pod,
        (spec?.pipe ?? []).map(({ file, envFile }) => file || envFile || ""),
      );
      return "fault" in found ? [`pipe task ${quoted(name)}: ${found.fault}`] : [];
    });
