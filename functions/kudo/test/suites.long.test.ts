import { deathsAfterWrites, interleavings } from "../../../infra/testing/system/index.ts";
import { proof, proofAsked } from "./proof.ts";

interleavings(proof);
interleavings(proofAsked);
deathsAfterWrites(proof);
deathsAfterWrites(proofAsked);
