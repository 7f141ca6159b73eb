import { targetSuite } from "./target-suite.ts";

targetSuite("local");
