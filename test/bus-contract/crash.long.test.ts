import { deathsAtVisits } from "./crash.ts";

deathsAtVisits(1);
