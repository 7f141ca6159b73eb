import { partsSuite } from "./parts-suite.ts";

partsSuite("local");
