import { slotSuite } from "./slots.ts";

slotSuite("local");
