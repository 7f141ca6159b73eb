import { scenariosOn } from "../../../infra/testing/system/index.ts";
import { userProof } from "./proof.ts";

scenariosOn("local", userProof);
