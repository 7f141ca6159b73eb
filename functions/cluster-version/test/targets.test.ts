import { targetsSuite } from "./targets-suite.ts";

targetsSuite("local");
