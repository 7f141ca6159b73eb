import {
  deathsAfterWrites,
  dryRuns,
  interleavings,
  SHARES,
  scenariosOn,
} from "../../../infra/testing/system/index.ts";
import { longProof, proof } from "./proof.ts";

scenariosOn("local", longProof, SHARES.longScenarios);
interleavings(proof);
dryRuns("local", proof);
deathsAfterWrites(proof);
