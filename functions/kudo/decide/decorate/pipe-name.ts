/** The step of a run that a Pipe task belongs to. */
export interface PipePlace {
  readonly instance: string;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly task: string;
}

const part = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

const nameOf = ({ instance, plan, phase, step, task }: PipePlace, last: string): string =>
  [instance, plan, phase, step, task, last].map(part).join(".");

/** The name of the Pod of a Pipe task. */
export const pipePodName = (place: PipePlace): string => nameOf(place, "pipepod");

/** The name of the ConfigMap or Secret that holds what a Pipe task made under a key. Other tools know it by this name. */
export const pipeArtifactName = (place: PipePlace, key: string): string => nameOf(place, key);
