import { deathsAfterWrites, dryRunsOn, interleavings } from "../../../infra/testing/system/index.ts";
import { choice, dry, isQuick, sync } from "./proofs.ts";

for (const proof of [sync, choice]) interleavings(proof);
deathsAfterWrites(sync);
for (const proof of dry) dryRunsOn("local", proof, (number) => !isQuick(number));
