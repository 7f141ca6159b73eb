import { deathsAfterWrites, dryRunsOn, interleavings } from "../../../infra/testing/system/index.ts";
import { dry, isQuick, proof, proofAsked } from "./proof.ts";

interleavings(proof);
interleavings(proofAsked);
deathsAfterWrites(proof);
deathsAfterWrites(proofAsked);
dryRunsOn("local", dry, (number) => !isQuick(number));
