import { packages } from "./packages-suite.ts";

packages("local");
