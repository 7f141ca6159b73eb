import { scenarioSuite } from "./suite.ts";

scenarioSuite("real");
