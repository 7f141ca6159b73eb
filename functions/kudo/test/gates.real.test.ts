import { gates } from "./gates.ts";

gates("real");
