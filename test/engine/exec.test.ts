import { execSuite } from "./exec.ts";

execSuite("local");
