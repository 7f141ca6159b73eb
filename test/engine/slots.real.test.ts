import { slotSuite } from "./slots.ts";

slotSuite("real");
