import {
  deathsAfterWrites,
  dryRunsOn,
  interleavings,
  SHARES,
  scenariosOn,
} from "../../../infra/testing/system/index.ts";
import { dry, isQuick, longAsked, proof, proofAsked } from "./proof.ts";

interleavings(proof);
interleavings(proofAsked);
deathsAfterWrites(proof);
deathsAfterWrites(proofAsked);
scenariosOn("local", longAsked, SHARES.longScenarios);
dryRunsOn("local", dry, (number) => !isQuick(number));
