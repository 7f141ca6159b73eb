import { coordinationSuite } from "./coordination-suite.ts";

coordinationSuite("local");
