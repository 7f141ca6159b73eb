import { conformanceSuite } from "./conformance-suite.ts";

conformanceSuite("local");
