import { gates } from "./gates.ts";

gates("local");
