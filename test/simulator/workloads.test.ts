import { localApiServer } from "../../infra/testing/api-servers.ts";
import { workloads } from "./workloads-suite.ts";

workloads({
  name: "all simulated, on the local API",
  server: localApiServer,
  controllerManager: false,
  only: undefined,
});
