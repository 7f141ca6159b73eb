import { passSuite } from "./pass-suite.ts";

passSuite("local");
