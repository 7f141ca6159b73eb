import { asSaidSuite } from "./as-said.ts";

asSaidSuite("local");
