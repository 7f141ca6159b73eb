import { fullBus } from "./embedded-full.ts";

fullBus("memory");
