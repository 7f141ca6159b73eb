import { realApiServer } from "../../../infra/testing/api-servers.ts";
import { applySuite } from "./test-suite.ts";

applySuite(realApiServer);
