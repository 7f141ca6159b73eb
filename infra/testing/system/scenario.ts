/** One acceptance scenario: it begins in an empty cluster. `S` is the stage that its system plays it on. */
export interface Scenario<S> {
  /** As the system's specification counts. */
  readonly number: number;
  readonly name: string;
  run(stage: S): Promise<void>;
}

/** How a scenario's test is called. */
export const titleOf = ({ number, name }: Pick<Scenario<never>, "number" | "name">): string =>
  `scenario ${number}: ${name}`;
