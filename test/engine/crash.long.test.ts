import { deathsAfterWrites } from "./crash.ts";

deathsAfterWrites(() => true);
