import type { Clock } from "../../clock/clock.ts";
import type { KubeClient } from "../../kube/client.ts";
import type { Log } from "../../log/log.ts";

/** The parts that answer a question, of the API server or of another controller. */
export interface QuestionParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: the whole cluster. */
  readonly namespaces?: readonly string[] | undefined;
}
