import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { otherClustersSuite } from "./clusters.ts";

otherClustersSuite("real", skipWithoutControlPlane());
