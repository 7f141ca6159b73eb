import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { proof } from "./proof.ts";

scenariosOn("local", proof);
conformance("local", objectsOfUpstream);
