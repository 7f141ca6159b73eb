import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { CountsReporter } from "./infra/testing/counts-reporter.ts";

const MINUTE = 60_000;
const FOLDERS = "{events,functions,shared,infra,examples,test}";

interface Suite {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** For one test, or one hook; 0: none. */
  readonly limitMinutes: number;
  /** How many files run at once. */
  readonly workers: number;
  /** Each file in a process of its own. */
  readonly alone: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Run before each file. */
  readonly setup?: readonly string[];
}

const suites: Readonly<Record<string, Suite>> = {
  unit: {
    include: [`${FOLDERS}/**/*.test.ts`],
    exclude: ["**/*.{real,long}.test.ts"],
    limitMinutes: 5,
    workers: 3,
    alone: false,
    setup: ["infra/testing/seeded-properties.ts"],
    // The many processes that they start read what Node has compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled") },
  },
  long: { include: [`${FOLDERS}/**/*.long.test.ts`], limitMinutes: 20, workers: 3, alone: true },
  real: { include: [`${FOLDERS}/**/*.real.test.ts`], limitMinutes: 15, workers: 3, alone: true },
  localstack: {
    include: ["test/localstack/contract.ts", "test/localstack/real-time.ts"],
    limitMinutes: 10,
    workers: 1,
    alone: true,
  },
  package: {
    include: ["test/package/packed.ts", "test/package/first-function.ts"],
    limitMinutes: 5,
    workers: 1,
    alone: true,
  },
  // What is away may stay away for hours. Sites mostly wait: for an outage to pass, for a lease, for a process that comes back.
  faults: { include: ["test/faults/*.faults.ts"], limitMinutes: 0, workers: 3, alone: true },
};

const project = (
  [name, suite]: readonly [string, Suite],
  groupOrder: number,
): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include: [...suite.include],
    exclude: ["**/node_modules/**", "dist/**", ...(suite.exclude ?? [])],
    testTimeout: suite.limitMinutes * MINUTE,
    hookTimeout: suite.limitMinutes * MINUTE,
    maxWorkers: suite.workers,
    isolate: suite.alone,
    ...(suite.env && { env: suite.env }),
    ...(suite.setup && { setupFiles: [...suite.setup] }),
    sequence: { groupOrder },
  },
});

export default defineConfig({
  test: {
    // Node strips the types itself, so tests run the files that users run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: "forks",
    // Tests of one file that run at once mostly wait for processes of their own.
    maxConcurrency: 2,
    // All of them in the order in which they were registered.
    sequence: { hooks: "list" },
    reporters: ["default", new CountsReporter()],
    projects: Object.entries(suites).map(project),
    coverage: {
      provider: "v8",
      include: ["index.ts", "{events,functions,shared,infra}/**/*.ts"],
      exclude: ["**/*.test.ts", "infra/testing/**"],
      reporter: ["text"],
      // What decides is tried both ways. Of each of these folders as a whole.
      thresholds: Object.fromEntries(
        ["functions/*/decide/**/*.ts", "shared/bus/*.ts", "shared/runner/**/*.ts"].map((files) => [
          files,
          { branches: 90 },
        ]),
      ),
    },
  },
});
