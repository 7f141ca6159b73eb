import { scenariosOn } from "../../../infra/testing/system/index.ts";
import { moduleProof, userProof } from "./proof.ts";

scenariosOn("local", userProof);
scenariosOn("local", moduleProof);
