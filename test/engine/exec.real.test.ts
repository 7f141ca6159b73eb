import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { execSuite } from "./exec.ts";

execSuite("real", skipWithoutControlPlane({ controllerManager: true }));
