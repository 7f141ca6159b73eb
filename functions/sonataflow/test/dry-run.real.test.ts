import { dryRunSuite } from "./dry-run-suite.ts";

dryRunSuite("real", ({ number }) => [3, 7, 24, 36].includes(number));
