import { deathsAfterWrites } from "../../../infra/testing/system/deaths.ts";
import { sync } from "./proofs.ts";

deathsAfterWrites(sync);
