import { realApiServer } from "../../infra/testing/api-servers.ts";
import { workloads } from "./workloads-suite.ts";

workloads({
  name: "all simulated, on the real API",
  server: realApiServer,
  controllerManager: false,
  only: undefined,
});
workloads({
  name: "real controllers over simulated pods",
  server: realApiServer,
  controllerManager: true,
  only: ["Pod"],
});
