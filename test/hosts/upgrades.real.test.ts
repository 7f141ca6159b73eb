import { upgradesSuite } from "./upgrades-suite.ts";

upgradesSuite("real", ["configuration", "version"]);
