import { dryRunSuite } from "./dry-run-suite.ts";

dryRunSuite("local", ({ number }) => number % 5 === 1);
