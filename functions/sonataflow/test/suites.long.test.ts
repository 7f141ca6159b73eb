import { deathsAfterWrites } from "../../../infra/testing/system/deaths.ts";
import { proof } from "./proof.ts";

deathsAfterWrites(proof);
