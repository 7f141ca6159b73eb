import { fullBus } from "./embedded-full.ts";

fullBus("file");
