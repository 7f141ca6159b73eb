import { deathsAfterWrites } from "../../../infra/testing/system/deaths.ts";
import { dryRuns } from "../../../infra/testing/system/dry-run.ts";
import { proof } from "./proof.ts";

deathsAfterWrites(proof);
dryRuns("local", proof, (number) => number % 5 !== 1);
