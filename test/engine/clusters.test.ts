import { otherClustersSuite } from "./clusters.ts";

otherClustersSuite("local");
