import { packages } from "./packages-suite.ts";

packages("real");
