import { conformance } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";

conformance("local", objectsOfUpstream);
