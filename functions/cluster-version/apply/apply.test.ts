import { localApiServer } from "../../../infra/testing/api-servers.ts";
import { applySuite } from "./test-suite.ts";

applySuite(localApiServer, { without: ["FlowSchema"] });
