import { deathsAfterWrites, dryRuns, interleavings } from "../../../infra/testing/system/index.ts";
import { proof } from "./proof.ts";

interleavings(proof);
dryRuns("local", proof);
deathsAfterWrites(proof);
