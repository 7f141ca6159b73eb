import { servedVersionsSuite } from "./served-versions.ts";

servedVersionsSuite("real");
