import type { Obj, Wait } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { healthOf } from "../../../../shared/kube/health/index.ts";
import { RUNTIME_NAMESPACE, type RuntimeObject, runtimes } from "../../kinds/index.ts";

/** The Pods of the program in a runtime. */
export type ProgramPods = readonly Obj<typeof RuntimeObject>[];

/** Reads the Pods of the program. They only explain: where they may not be read there are none. Without an answer the pass is tried again. */
export async function podsOf(
  read: () => Promise<readonly Obj<typeof RuntimeObject>[]>,
): Promise<ProgramPods> {
  try {
    const pods = await whereAdmitted(read);
    return "refused" in pods ? [] : (pods.value ?? []);
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "forbidden") return [];
    throw thrown;
  }
}

/** The Pods that have yet to become ready. One that is going, or is over, will not. */
const unreadyOf = (pods: ProgramPods) =>
  pods.flatMap((pod) => {
    const health = healthOf(pod);
    return health?.state === "progressing" && !health.deleting ? [{ pod, health }] : [];
  });

/** The reason why a container of the program cannot begin, in the server's words; undefined where none waits in vain. */
export const stopOf = (pods: ProgramPods): string | undefined =>
  unreadyOf(pods).flatMap(({ pod, health: { why, said } }) =>
    why === "ContainerWaiting"
      ? said.map(
          ({ status: container, reason, message }) =>
            `container ${container} of Pod ${pod.metadata.name} waits with ${reason}${message && `: ${shortened(message)}`}`,
        )
      : [],
  )[0];

/** The characters of a server's message that are told: users of the runtime may write it, and a condition has room for 32768. */
const LONGEST = 2_000;
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** The waits for these Pods to change: while a container fails again and again, the Deployment says nothing new. */
export const podWaits = (cluster: string, pods: ProgramPods): readonly Wait[] =>
  unreadyOf(pods).map(({ pod: { metadata } }) => ({
    for: `Pod ${metadata.name} of the program that watches in the runtime`,
    object: {
      apiVersion: "v1",
      kind: "Pod",
      namespace: RUNTIME_NAMESPACE,
      name: metadata.name,
      cluster: runtimes.named(cluster),
    },
  }));
