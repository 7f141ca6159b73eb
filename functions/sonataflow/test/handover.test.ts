import { handoverSuite } from "./handover.ts";

handoverSuite("local");
