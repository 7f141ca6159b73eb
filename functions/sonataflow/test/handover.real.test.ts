import { handoverSuite } from "./handover.ts";

handoverSuite("real");
