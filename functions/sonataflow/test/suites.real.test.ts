import { scenariosOn } from "../../../infra/testing/system/on-stack.ts";
import { proof } from "./proof.ts";

scenariosOn("real", proof);
