import { deathsAfterWrites, interleavings } from "../../../infra/testing/system/index.ts";
import { proof } from "./proof.ts";

interleavings(proof);
deathsAfterWrites(proof);
