import { deathsAfterWrites } from "../../../infra/testing/system/index.ts";
import { sync } from "./proofs.ts";

deathsAfterWrites(sync);
