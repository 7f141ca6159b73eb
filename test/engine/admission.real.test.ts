import { admissionSuite } from "./admission.ts";

admissionSuite("real");
