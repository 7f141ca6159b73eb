import type { Consumed } from "../../kinds/index.ts";
import type { Definition, InstanceView } from "../definition/index.ts";

/** A task of a step, and what it runs with. */
export interface TaskRun {
  readonly instance: InstanceView;
  readonly version: Definition;
  readonly consumed: Consumed;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly task: string;
}
