import { kindsSuite } from "./kinds-suite.ts";

kindsSuite("local");
