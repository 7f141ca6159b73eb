import { selectionSuite } from "./selections.ts";

selectionSuite("local");
