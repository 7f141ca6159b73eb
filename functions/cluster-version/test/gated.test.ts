import { gatedSuite } from "./gated-suite.ts";

gatedSuite("local");
