import { gatedSuite } from "./gated-suite.ts";

gatedSuite("real");
