import { deathsAfterWrites, interleavings } from "../../../infra/testing/system/index.ts";
import { proof, proofAsked } from "./proof.ts";

for (const one of [proof, proofAsked]) interleavings(one);
deathsAfterWrites(proof);
