import { deathsAfterWrites } from "./crash.ts";

const EVERY = 5;
// All of them are in the long suite.
deathsAfterWrites((nth, writes) => nth % EVERY === 1 || nth === writes);
