import { realApiServer } from "../../../../infra/testing/api-servers.ts";
import { applySuite } from "./suite.ts";

applySuite(realApiServer);
