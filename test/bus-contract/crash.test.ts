import { deathsAtVisits } from "./crash.ts";

// Each of them is in the long suite. A prime, so that all sorts of visits have their turn.
deathsAtVisits(5);
