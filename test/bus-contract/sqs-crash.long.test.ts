import { dyingLosesNothing } from "./sqs-crash.ts";

dyingLosesNothing(3);
