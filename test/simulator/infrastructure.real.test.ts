import { BESIDE_CONTROLLERS } from "../../infra/simulator/index.ts";
import { realApiServer } from "../../infra/testing/api-servers.ts";
import { infrastructure } from "./infrastructure-suite.ts";

infrastructure({
  name: "beside real controllers",
  server: realApiServer,
  controllerManager: true,
  only: BESIDE_CONTROLLERS,
});
