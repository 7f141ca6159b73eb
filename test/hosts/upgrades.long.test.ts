import { upgradesSuite } from "./upgrades-suite.ts";

upgradesSuite("local", ["configuration", "wakes", "version"]);
