import { deathsAfterWrites } from "../../../infra/testing/system/index.ts";
import { proof } from "./proof.ts";

deathsAfterWrites(proof);
