import { deathsAfterWrites, dryRunsOn } from "../../../infra/testing/system/index.ts";
import { dry, isQuick, sync } from "./proofs.ts";

deathsAfterWrites(sync);
for (const proof of dry) dryRunsOn("local", proof, (number) => !isQuick(number));
