import { hookSuite } from "./hooks.ts";

hookSuite("real");
