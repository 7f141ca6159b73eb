import { localApiServer } from "../../../../infra/testing/api-servers.ts";
import { applySuite } from "./suite.ts";

applySuite(localApiServer, { without: ["FlowSchema"] });
