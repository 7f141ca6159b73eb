import { localApiServer } from "../../infra/testing/api-servers.ts";
import { infrastructure } from "./infrastructure-suite.ts";

infrastructure({
  name: "on the local API",
  server: localApiServer,
  controllerManager: false,
  only: undefined,
});
