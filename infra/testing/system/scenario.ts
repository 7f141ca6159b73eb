/** One acceptance scenario: it begins in an empty cluster. `S` is the stage that its system plays it on. */
export interface Scenario<S> {
  /** The number in the system's specification. */
  readonly number: number;
  readonly name: string;
  run(stage: S): Promise<void>;
}

/** The name of a scenario's test. */
export const titleOf = ({ number, name }: Pick<Scenario<never>, "number" | "name">): string =>
  `scenario ${number}: ${name}`;
