import { kindsSuite } from "./kinds-suite.ts";

kindsSuite("real");
