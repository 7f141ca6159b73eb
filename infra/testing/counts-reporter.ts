import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { sampleNote } from "./system/sample.ts";

/** The counts of a run. A file that could not be loaded, and an error that no test caught, count as a failure. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts what ran; of a module only what is asked here is read. */
export function countsOf(
  modules: readonly Pick<TestModule, "children" | "errors">[],
  unhandled: readonly SerializedError[],
): Counts {
  const states = modules.flatMap((one) => [...one.children.allTests()].map((test) => test.result().state));
  const suites = modules.flatMap((one) => [...one.children.allSuites()]);
  const broken = [...modules, ...suites].filter((one) => one.errors().length > 0).length;
  const of = (state: string): number => states.filter((one) => one === state).length;
  return {
    passed: of("passed"),
    failed: of("failed") + broken + unhandled.length,
    skipped: states.length - of("passed") - of("failed"),
  };
}

/** Shows what tests tell and of what the run was a sample, and ends with the line `N passed, N failed, N skipped`, which CI reads. */
export class CountsReporter implements Reporter {
  readonly #write: (text: string) => void;
  readonly #note: string | undefined;

  constructor(
    write: (text: string) => void = (text) => void process.stdout.write(text),
    note: string | undefined = sampleNote(),
  ) {
    this.#write = write;
    this.#note = note;
  }

  onTestCaseAnnotate(test: TestCase, annotation: { readonly message: string }): void {
    this.#write(`ℹ ${test.fullName}: ${annotation.message}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const { passed, failed, skipped } = countsOf(modules, unhandled);
    if (this.#note !== undefined) this.#write(`ℹ ${this.#note}\n`);
    this.#write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
