import { admissionSuite } from "./admission.ts";

admissionSuite("local");
