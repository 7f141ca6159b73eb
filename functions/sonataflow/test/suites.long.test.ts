import { deathsAfterWrites, dryRuns } from "../../../infra/testing/system/index.ts";
import { proof } from "./proof.ts";

deathsAfterWrites(proof);
dryRuns("local", proof, (number) => number % 5 !== 1);
