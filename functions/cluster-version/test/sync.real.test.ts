import { syncSuite } from "./sync-suite.ts";

syncSuite("real");
