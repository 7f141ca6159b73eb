import { scenarioSuite } from "./suite.ts";

scenarioSuite("local");
