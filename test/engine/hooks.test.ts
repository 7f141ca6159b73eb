import { hookSuite } from "./hooks.ts";

hookSuite("local");
