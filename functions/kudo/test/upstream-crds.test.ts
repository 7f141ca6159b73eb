import { upstreamCrds } from "./upstream-crds.ts";

upstreamCrds("local");
