import { interleavings } from "../../../infra/testing/system/interleaved.ts";
import { scenariosOn } from "../../../infra/testing/system/on-stack.ts";
import { proof } from "./proof.ts";

scenariosOn("local", proof);
interleavings(proof);
