import { scenariosOn } from "../../../infra/testing/system/index.ts";
import { toldProof, userProof } from "./proof.ts";

scenariosOn("local", userProof);
scenariosOn("local", toldProof);
