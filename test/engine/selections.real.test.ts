import { selectionSuite } from "./selections.ts";

selectionSuite("real");
